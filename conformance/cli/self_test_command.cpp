#include <sstream>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/proof/self_test/score.hpp"
#include "conformance/proof/self_test/witnesses.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

int self_test_command(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error) {
  if (options.roster_only) {
    write_roster(out);
    return exit_conformant;
  }
  for (const std::string& path : {options.junit, options.witnesses})
    if (const auto can = path.empty() ? Done{} : check_place(path); !can)
      return complain(error, can.error().what);
  const auto result = run_self_test(options.test, interrupted());
  if (!result)
    return complain(error, result.error().what,
                    result.error().code == Error::Code::unsupported ? exit_bad_command : exit_not_loaded);
  write_score(out, *result, options.test.tier);
  out.flush();
  if (!options.junit.empty())
    if (const auto done = write_score_junit(options.junit, *result, options.test.tier); !done)
      return complain(error, done.error().what);
  if (!result->complete) return exit_interrupted;
  if (!options.witnesses.empty()) {
    std::ostringstream text;
    write_witnesses(text, result->trials);
    if (const auto done = write_whole_file(options.witnesses, text.str()); !done)
      return complain(error, done.error().what);
  }
  return result->is_good() ? exit_conformant : exit_not_conformant;
}

}  // namespace certile::conformance
