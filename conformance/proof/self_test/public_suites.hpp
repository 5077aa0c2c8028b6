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

namespace certile {

// The Tile cases of a suite that others publish, as far as they are shapes, repeats and types: what certile's
// own are compared with. Each with what is due, which is the same for every implementation.
struct PublicCase {
  PlannedCase planned;
  Case question;
  Expectation expected;
};
struct PublicSuite {
  std::string name;  // of the file in public_suites/, without its end: "onnx"
  std::vector<PublicCase> cases;
};
// Errors: as expect.
Result<PublicSuite> public_suite(std::string name, const std::vector<Case>& cases);
// Errors: bad_literal, for a line that is no case or expects what the oracles do not.
Result<std::vector<PublicSuite>> public_suites();

// Whether such a suite would have seen this failure. It compares one answer's shape and elements, and sees
// what refuses, crashes or hangs; nobody there looks beside the buffers, calls twice, elsewhere or from two
// threads. Kinder than those suites are: they compare elements with a tolerance, and not all infer shapes.
bool is_seen_by_public_suites(const Record& record);

// By suite, whether it sees anything wrong with what `isolate` names. Each suite meets a process in which
// nothing was called before, and is given up at the first thing that it sees.  Errors: as Session's.
Result<std::vector<bool>> caught_by(std::span<const PublicSuite> suites, const IsolateOptions& isolate,
                                    const std::atomic<bool>& interrupted);

}  // namespace certile
