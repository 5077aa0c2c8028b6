#include "property_tests/command.hpp"

#include "conformance/run/backend_start.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "property_tests/keep.hpp"
#include "property_tests/report.hpp"

namespace certile::property_tests {
namespace {

int complain(std::ostream& error, const std::string& sentence, int code) {
  error << "certile-properties: " << sentence << std::endl;
  return code;
}

// Examines the given cases in order, until one breaks the property.
Result<SearchResult> examine_given(const Property& property, Examiner& examiner,
                                   const std::vector<Case>& questions) {
  SearchResult result;
  for (const Case& question : questions) {
    TRY(auto examined, examiner.examine_alone(property, question));
    ++result.cases;
    result.silent += examined.word == LawWord::does_not_apply ? 1 : 0;
    if (examined.word != LawWord::broken) continue;
    TRY(auto explained, examiner.explain(property, std::move(examined)));
    result.counterexample = Counterexample{question, std::move(explained), result.cases - 1, 0, true};
    break;
  }
  return result;
}

class Run {
 public:
  Run(const PropertiesOptions& options, std::vector<Case> questions, Examiner examiner, std::ostream& out,
      std::ostream& error)
      : options_(options),
        questions_(std::move(questions)),
        examiner_(std::move(examiner)),
        specimens_(examiner_.claim()),
        out_(out),
        error_(error) {}

  int run() {
    if (questions_.empty() && specimens_.empty())
      return complain(error_, "it claims nothing that the operators allow, so there is no case to examine",
                      exit_nothing_run);
    if (questions_.empty()) out_ << "seed " << options_.search.seed << std::endl;
    bool any_broken = false;
    for (const Property& property : all_properties()) {
      if (!is_wanted(property)) continue;
      const auto result = questions_.empty() ? search(property, specimens_, examiner_, options_.search)
                                             : examine_given(property, examiner_, questions_);
      if (conformance::interrupted().load()) return complain(error_, "it was interrupted", exit_interrupted);
      if (!result)
        return complain(
            error_, conformance::printable(result.error().what),
            result.error().code == Error::Code::backend_failed ? exit_own_failure : exit_not_loaded);
      report(out_, examiner_.claim().name, options_.backend, property, *result);
      if (!result->counterexample) continue;
      any_broken = true;
      if (const int code = keep(property, *result->counterexample); code != exit_conformant) return code;
    }
    return any_broken ? exit_not_conformant : exit_conformant;
  }

 private:
  bool is_wanted(const Property& property) const {
    const auto& wanted = options_.properties;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), &property) != wanted.end();
  }

  int keep(const Property& property, const Counterexample& found) {
    if (options_.corpus.empty()) return exit_conformant;
    const std::string literal = literal_to_keep(found);
    const auto kept = keep_in_corpus(options_.corpus, literal,
                                     "found by certile-properties: " + std::string(property.name) +
                                         ", seed " + std::to_string(options_.search.seed));
    if (!kept) return complain(error_, kept.error().what, exit_bad_command);
    out_ << "      " << (*kept ? "kept in " : "already in ") << options_.corpus << std::endl;
    return exit_conformant;
  }

  const PropertiesOptions& options_;
  std::vector<Case> questions_;
  Examiner examiner_;
  Specimens specimens_;
  std::ostream& out_;
  std::ostream& error_;
};

}  // namespace

int properties_command(const PropertiesOptions& options, std::ostream& out, std::ostream& error) {
  std::vector<Case> questions;
  for (const std::string& literal : options.literals) {
    const auto question = parse_case(literal);
    if (!question)
      return complain(error, question.error().what + ": " + conformance::printable(literal),
                      exit_bad_command);
    questions.push_back(*question);
  }
  if (!options.corpus.empty())
    if (const auto usable = check_corpus(options.corpus); !usable)
      return complain(error, usable.error().what, exit_bad_command);
  if (const auto failure = conformance::check_spelling(options.backend))
    return complain(error, failure->sentence, failure->exit_code);
  conformance::IsolateOptions isolate = options.isolate;
  isolate.spelling = options.backend;
  isolate.stop = [] { return conformance::interrupted().load(); };
  auto examiner = Examiner::open(isolate);
  if (!examiner) return complain(error, conformance::printable(examiner.error().what), exit_not_loaded);
  return Run(options, std::move(questions), *std::move(examiner), out, error).run();
}

}  // namespace certile::property_tests
