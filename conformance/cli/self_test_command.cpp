#include "conformance/cli/self_test_command.hpp"

#include <sstream>
#include <thread>

#include "conformance/cli/mutant_progress.hpp"
#include "conformance/proof/self_test/learned_weights.hpp"
#include "conformance/proof/self_test/score.hpp"
#include "conformance/proof/self_test/witnesses.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/output_file.hpp"

namespace certile::conformance {

SelfTestCommand::SelfTestCommand(CLI::App& app)
    : command_(*app.add_subcommand(
          "self-test", "Judge implementations that are wrong on purpose: the suite must catch them")) {
  // One job more than there are processors, because some jobs wait for implementations that hang.
  options_.jobs = static_cast<int>(std::thread::hardware_concurrency()) + 1;
  auto* names = command_.add_option("NAME", options_.names,
                                    "Only the implementations of these names, such as M01 or L03");
  names->type_name("");
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
  auto* matrix = command_.add_option("--matrix", matrix_,
                                     "Ask each mutant every case, and write which cases kill which");
  matrix->type_name("FILE");
  command_
      .add_option_function<std::string>(
          "--budget",
          [this](const std::string& text) {
            const auto budget = parse_budget(text);
            if (!budget || !std::holds_alternative<std::int64_t>(*budget))
              throw CLI::ValidationError("--budget", "'" + text + "' is no number of cases");
            budget_ = *budget;
          },
          "Ask each mutant what certify --budget asks, and count those that fail; with --matrix, such cases "
          "alone")
      ->type_name("CASES");
  command_.add_option("--few", few_, "Mutants that fewer cases kill are listed as fragile")
      ->needs(matrix)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}).description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  command_
      .add_option("--learn", learn_from_,
                  "Print the weights that a kill matrix gives to the generators, and how well they do")
      ->excludes(matrix)
      ->type_name("FILE");
  command_
      .add_option("--witnesses", witnesses_,
                  "Write the cases of which those die that a sample of the tier does not kill")
      ->excludes(matrix)
      ->excludes(names)
      ->type_name("FILE");
  command_.add_flag("--list", roster_only_,
                    "Show the error of each implementation and the clause that must catch it");
}

int SelfTestCommand::execute(std::ostream& out, std::ostream& error) const {
  if (roster_only_) {
    write_roster(out);
    return exit_conformant;
  }
  if (!learn_from_.empty()) return learn_weights(out, error);
  if (!matrix_.empty() || budget_) return make(out, error);
  const auto result = run_self_test(options_, interrupted());
  if (!result) {
    error << "certile: " << result.error().what << std::endl;
    return result.error().code == Error::Code::unsupported ? exit_bad_command : exit_not_loaded;
  }
  write_score(out, *result, options_.tier);
  out.flush();
  if (!result->complete) return exit_interrupted;
  if (!witnesses_.empty()) {
    std::ostringstream text;
    write_witnesses(text, result->trials);
    if (const auto written = write_whole_file(witnesses_, text.str()); !written) {
      error << "certile: " << written.error().what << std::endl;
      return exit_bad_command;
    }
  }
  return result->is_good() ? exit_conformant : exit_not_conformant;
}

// Makes a kill matrix, of which nothing but the mutants killed counts if no file is wanted.
int SelfTestCommand::make(std::ostream& out, std::ostream& error) const {
  MutantProgress progress;
  const auto matrix = make_matrix(
      {.tier = options_.tier,
       .budget = budget_,
       .jobs = options_.jobs,
       .folder = options_.folder,
       .names = options_.names,
       .only_first = matrix_.empty(),
       .progress = [&progress](std::size_t asked, std::size_t all) { progress.show(asked, all); }},
      interrupted());
  progress.clear();
  if (!matrix) {
    error << "certile: " << matrix.error().what << std::endl;
    if (interrupted().load()) return exit_interrupted;
    return matrix.error().code == Error::Code::unsupported ? exit_bad_command : exit_not_loaded;
  }
  if (matrix_.empty()) {
    write_kills(out, *matrix);
    return exit_conformant;
  }
  std::ostringstream text;
  write_matrix(text, *matrix);
  if (const auto written = write_whole_file(matrix_, text.str()); !written) {
    error << "certile: " << written.error().what << std::endl;
    return exit_bad_command;
  }
  write_matrix_summary(matrix_ == "-" ? error : out, *matrix, few_);
  return exit_conformant;
}

int SelfTestCommand::learn_weights(std::ostream& out, std::ostream& error) const {
  const auto text = read_text(learn_from_, "the kill matrix", &interrupted());
  const auto matrix = text ? parse_matrix(*text, learn_from_) : Result<KillMatrix>(text.error());
  if (!matrix) {
    error << "certile: " << matrix.error().what << std::endl;
    return interrupted().load() ? exit_interrupted : exit_bad_command;
  }
  const auto cases = cases_of(*matrix, options_.folder);
  if (!cases) {
    error << "certile: " << cases.error().what << std::endl;
    return cases.error().code == Error::Code::bad_literal ? exit_bad_command : exit_not_loaded;
  }
  write_learned(out, *matrix, *cases);
  return exit_conformant;
}

}  // namespace certile::conformance
