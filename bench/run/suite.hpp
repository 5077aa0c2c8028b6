#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

// A case to time.
struct SuiteCase {
  Case question;
  std::string regime;  // "rows": the kind of work
  std::string words;   // where the case was seen, or what is unusual about it
};

struct Suite {
  std::string name;
  std::vector<SuiteCase> cases;
};

// Reads lines `LITERAL # REGIME: words`; skips empty lines and lines that begin with #.  A line that names no
// regime (no colon) gets the one of its shape.  Errors: bad_literal with `name:line:` for a line that is no
// case, is refused by the definition, has no elements to write, or places its buffers; io if there is no case
// at all.
Result<Suite> parse_suite(const std::string& name, std::string_view text);

// Returns the names of the suites compiled into this program; sweep.hpp generates `sweep`.
std::vector<std::string> built_in_suites();

// Loads a built-in suite, or the file at that path (it contains a '/' or a '.').
Result<Suite> load_suite(const std::string& name_or_path);

// Returns one case of the command line, with the regime of its shape.
Result<SuiteCase> case_to_time(std::string_view literal);

}  // namespace certile::bench
