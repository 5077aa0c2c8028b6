#pragma once
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A Tile case of a suite that others publish, reduced to shapes, repeats and types, with its expected answer,
// which is the same for every implementation.  Certile's own cases are compared with these suites.
struct PublicCase {
  PlannedCase planned;
  Expectation expected;
};
struct PublicSuite {
  std::string name;  // of the file in public_suites/, without its suffix: "onnx"
  std::vector<PublicCase> cases;
};
// Makes a suite.  Errors: as expect.
Result<PublicSuite> public_suite(std::string name, const std::vector<Case>& cases);
// Returns the published suites.  Errors: bad_literal, for a line that is no case or whose expectation the
// oracles do not share.
Result<std::vector<PublicSuite>> public_suites();

// Returns true if such a suite would have seen this failure.  It compares one answer's shape and elements,
// and sees refusals, crashes and hangs; it does not look outside the buffers, call twice, or use other places
// or two threads. Those suites see less: they compare elements with a tolerance, and not all infer shapes.
bool is_seen_by_public_suites(const Record& record);

// Returns for each suite whether it sees a failure of the backend that `isolate` names.  One process is asked
// all suites; if that shows a failure, each suite starts with a fresh process, and stops at its first
// failure. Errors: as Session's.
Result<std::vector<bool>> caught_by(std::span<const PublicSuite> suites, const IsolateOptions& isolate,
                                    const std::atomic<bool>& interrupted);

}  // namespace certile::conformance
