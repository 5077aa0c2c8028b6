#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/isolation/isolate.hpp"
#include "conformance/plan.hpp"
#include "conformance/record.hpp"
#include "reference/result.hpp"

namespace certile {

// The Tile cases of a suite that others publish, as far as they are shapes, repeats and types: what certile's
// own are compared with.
struct PublicSuite {
  std::string name;  // of the file in public_suites/, without its end: "onnx"
  std::vector<std::string> literals;
};
// Errors: bad_literal, for a line that is no case or expects what the oracles do not.
Result<std::vector<PublicSuite>> public_suites();

// Whether such a suite would have seen this failure. It compares one answer's shape and elements, and sees
// what refuses, crashes or hangs; nobody there looks beside the buffers, calls twice, elsewhere or from two
// threads. Kinder than those suites are: they compare elements with a tolerance, and not all infer shapes.
bool is_seen_by_public_suites(const Record& record);

// Whether the suite sees anything wrong with what `isolate` names.  Errors: as run_plan.
Result<bool> is_caught_by(const PublicSuite& suite, const IsolateOptions& isolate,
                          const std::atomic<bool>& interrupted);

}  // namespace certile
