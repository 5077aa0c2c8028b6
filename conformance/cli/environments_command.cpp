#include "conformance/cli/environments_command.hpp"

#include <sys/wait.h>

#include <cstdlib>

#include "conformance/report/report.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/shell_word.hpp"

namespace certile::conformance {

int environments_command(const std::vector<std::string>& names, const Installation& installation,
                         std::ostream& error) {
  if (!installation.has_workers()) {
    error << "certile: this program is not installed; in the source tree ./dev certify NAME makes the "
             "environment of a runtime"
          << std::endl;
    return exit_bad_command;
  }
  const std::string program = (installation.workers() / "environments.py").string();
  std::string command = installation.python() + " -B " + quoted_for_shell(program) + " " +
                        quoted_for_shell(Installation::environments().string());
  for (const std::string& name : names)
    command += " " + quoted_for_shell(name);
  const int status = std::system(command.c_str());  // NOLINT(*-command-processor)
  if (WIFEXITED(status) && WEXITSTATUS(status) <= exit_own_failure) return WEXITSTATUS(status);
  error << "certile: this needs Python: " << installation.python() << " could not be started, or was ended"
        << std::endl;
  return exit_own_failure;
}

}  // namespace certile::conformance
