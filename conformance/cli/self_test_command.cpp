#include "conformance/cli/self_test_command.hpp"

#include <sstream>

#include "conformance/cli/mutant_progress.hpp"
#include "conformance/proof/self_test/learned_weights.hpp"
#include "conformance/proof/self_test/score.hpp"
#include "conformance/proof/self_test/witnesses.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/output_file.hpp"

namespace certile::conformance {

namespace {

// Makes a kill matrix, of which nothing but the mutants killed counts if no file is wanted.
int make(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error) {
  MutantProgress progress;
  const auto matrix = make_matrix(
      {.tier = options.test.tier,
       .budget = options.budget,
       .jobs = options.test.jobs,
       .folder = options.test.folder,
       .names = options.test.names,
       .only_first = options.matrix.empty(),
       .progress = [&progress](std::size_t asked, std::size_t all) { progress.show(asked, all); }},
      interrupted());
  progress.clear();
  if (!matrix) {
    error << "certile: " << matrix.error().what << std::endl;
    if (interrupted().load()) return exit_interrupted;
    return matrix.error().code == Error::Code::unsupported ? exit_bad_command : exit_not_loaded;
  }
  if (options.matrix.empty()) {
    write_kills(out, *matrix);
    return exit_conformant;
  }
  std::ostringstream text;
  write_matrix(text, *matrix);
  if (const auto written = write_whole_file(options.matrix, text.str()); !written) {
    error << "certile: " << written.error().what << std::endl;
    return exit_bad_command;
  }
  write_matrix_summary(options.matrix == "-" ? error : out, *matrix, options.few);
  return exit_conformant;
}

int learn_weights(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error) {
  const auto text = read_text(options.learn_from, "the kill matrix", &interrupted());
  const auto matrix = text ? parse_matrix(*text, options.learn_from) : Result<KillMatrix>(text.error());
  if (!matrix) {
    error << "certile: " << matrix.error().what << std::endl;
    return interrupted().load() ? exit_interrupted : exit_bad_command;
  }
  const auto cases = cases_of(*matrix, options.test.folder);
  if (!cases) {
    error << "certile: " << cases.error().what << std::endl;
    return cases.error().code == Error::Code::bad_literal ? exit_bad_command : exit_not_loaded;
  }
  write_learned(out, *matrix, *cases);
  return exit_conformant;
}

}  // namespace

int self_test_command(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error) {
  if (options.roster_only) {
    write_roster(out);
    return exit_conformant;
  }
  if (!options.learn_from.empty()) return learn_weights(options, out, error);
  if (!options.matrix.empty() || options.budget) return make(options, out, error);
  const auto result = run_self_test(options.test, interrupted());
  if (!result) {
    error << "certile: " << result.error().what << std::endl;
    return result.error().code == Error::Code::unsupported ? exit_bad_command : exit_not_loaded;
  }
  write_score(out, *result, options.test.tier);
  out.flush();
  const auto keep = [&](const Result<Done>& written) {
    if (!written) error << "certile: " << written.error().what << std::endl;
    return static_cast<bool>(written);
  };
  if (!options.junit.empty() && !keep(write_score_junit(options.junit, *result, options.test.tier)))
    return exit_bad_command;
  if (!result->complete) return exit_interrupted;
  if (!options.witnesses.empty()) {
    std::ostringstream text;
    write_witnesses(text, result->trials);
    if (!keep(write_whole_file(options.witnesses, text.str()))) return exit_bad_command;
  }
  return result->is_good() ? exit_conformant : exit_not_conformant;
}

}  // namespace certile::conformance
