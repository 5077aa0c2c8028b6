#include "conformance/explain/debugger_line.hpp"

#include "conformance/report/report.hpp"
#include "conformance/text/shell_word.hpp"

namespace certile::conformance {

std::string debugger_line(const std::string& spelling, std::span<const std::string> literals,
                          bool has_crashed) {
  std::string line = "gdb -ex 'set follow-fork-mode child'";
  if (!has_crashed) line += " -ex 'set breakpoint pending on' -ex 'break certile_plugin_open'";
  line += " -ex run --args certile run " + quoted_for_shell(spelling);
  for (const std::string& literal : literals)
    line += " " + quoted_for_shell(literal);
  // A person takes longer than the usual limit.
  return line + " --time-limit 1000";
}

}  // namespace certile::conformance
