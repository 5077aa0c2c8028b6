#include "conformance/cli/self_test_command.hpp"

#include <thread>

#include "conformance/proof/self_test/score.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/interrupt.hpp"

namespace certile::conformance {

SelfTestCommand::SelfTestCommand(CLI::App& app)
    : command_(*app.add_subcommand(
          "self-test", "Judge implementations that are wrong on purpose: the suite must catch them")) {
  // One job more than there are processors, because some jobs wait for implementations that hang.
  options_.jobs = static_cast<int>(std::thread::hardware_concurrency()) + 1;
  command_.add_option("NAME", options_.names, "Only the implementations of these names, such as M01 or L03")
      ->type_name("");
  command_
      .add_option_function<std::string>(
          "--tier",
          [this](const std::string& word) {
            const auto tier = tier_named(word);
            if (!tier) throw CLI::ValidationError("--tier", "unknown value '" + word + "'");
            options_.tier = *tier;
          },
          "The tier that must catch them: smoke, core, full or large")
      ->type_name("NAME")
      ->default_str("smoke");
  command_.add_option("--jobs", options_.jobs, "Number of implementations to judge in parallel")
      ->check(CLI::Range(1, 256).description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  command_.add_option("--mutants", options_.folder, "The folder of their libraries")->type_name("FOLDER");
  command_.add_flag("--list", roster_only_,
                    "Show the error of each implementation and the clause that must catch it");
}

int SelfTestCommand::execute(std::ostream& out, std::ostream& error) const {
  if (roster_only_) {
    write_roster(out);
    return exit_conformant;
  }
  const auto result = run_self_test(options_, interrupted());
  if (!result) {
    error << "certile: " << result.error().what << std::endl;
    return result.error().code == Error::Code::unsupported ? exit_bad_command : exit_not_loaded;
  }
  write_score(out, *result, options_.tier);
  out.flush();
  if (!result->complete) return exit_interrupted;
  return result->is_good() ? exit_conformant : exit_not_conformant;
}

}  // namespace certile::conformance
