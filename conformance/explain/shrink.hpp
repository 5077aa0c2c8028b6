#pragma once
#include <optional>
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The result of a search for a plainer case that fails in the same way.
struct Shrunk {
  std::vector<std::string> literals;  // the plainest case that fails, after the calls that it needs
  Finding finding;                    // of the last of them; a pass if the given case did not fail
  // Cases next to it that pass: the least plain of the plainer ones, and the plainest of the larger ones.
  std::optional<std::string> smaller_pass, larger_pass;
  int steps = 0, asked = 0;
  bool is_cut = false;  // the search ended early, so a plainer case may fail
};

// Searches for the plainest case with the same fault as the last of `literals`, in the order of
// record.hpp, in steps that each fail.  The literals are asked in order, in a fresh process each time.
// Errors: bad_literal; as Session's.
Result<Shrunk> shrink(const std::vector<std::string>& literals, const IsolateOptions& options);

// Returns the result for a person: the failing case, and those next to it that pass, a line each.
std::string text_of(const Shrunk& shrunk);

}  // namespace certile::conformance
