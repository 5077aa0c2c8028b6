#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A case to time.
struct SuiteCase {
  Case question;
  std::string regime;  // "rows": what kind of work it is
  std::string words;   // where it was seen, or what is odd about it
};

struct Suite {
  std::string name;
  std::vector<SuiteCase> cases;
};

// Reads lines `LITERAL # REGIME: words`; empty lines and lines that begin with # are skipped.  A line that
// names no regime (no colon) gets the one its shape says.  Errors: bad_literal with `name:line:` for what is
// no case, is refused by the definition, has no elements to write, or says where its buffers lie; io where
// there is no case at all.
Result<Suite> parse_suite(const std::string& name, std::string_view text);

// The suites compiled into this program, by name; `sweep` is made by a rule (sweep.hpp).
std::vector<std::string> built_in_suites();

// A built-in suite, or the file at that path (it contains a '/' or a '.').
Result<Suite> load_suite(const std::string& name_or_path);

// One case of the command line.  Its regime is what its shape says.
Result<SuiteCase> case_to_time(std::string_view literal);

}  // namespace certile
