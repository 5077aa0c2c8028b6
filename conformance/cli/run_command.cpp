#include "conformance/cli/run_command.hpp"

#include <optional>

#include "backends/registry/registry.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/explain/closer_look.hpp"
#include "conformance/explain/explanation.hpp"
#include "conformance/explain/shrink.hpp"
#include "conformance/report/report.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

// Prints a case that did not fail: the verdict, and for a pass the clauses that the case proves, by name.
void explain(std::ostream& out, const Record& record) {
  out << name(record.now().verdict) << "  " << printable(record.backend) << "  " << record.literal << '\n';
  if (!record.now().words.empty()) out << "      " << printable(record.now().words) << '\n';
  if (record.now().verdict != Verdict::pass) return;
  if (record.is_vacuous()) out << "      the output has no elements: this shows the shape and little more\n";
  out << "      proves";
  for (const std::string_view id : record.judged.exercised) {
    const Clause* clause = find_clause(id);
    out << "  " << id;
    if (clause != nullptr) out << ' ' << clause->name;
  }
  out << '\n';
}

// Prints a failed case: the evidence, a picture, and the next commands that show more.  `asked` are the
// literals up to this one.
void explain_failure(std::ostream& out, const Record& record, const std::vector<std::string>& asked,
                     const OneCaseOptions& options) {
  out << failure_text(record);
  out << text_of(closer_look(record, options.run.isolate, {.width = options.width}).shown);
  const auto& again = record.reproduce();
  if (!again.empty() && again != asked) out << look_closer(record, options.backend);
  if (!backends::is_library(options.backend)) return;
  const Fault fault = record.now().fault;
  const bool has_crashed = fault == Fault::crash || fault == Fault::read_outside;
  out << "      debug: " << debugger_line(options.backend, again.empty() ? asked : again, has_crashed)
      << '\n';
}

// Reads the literals as cases.  Returns the exit code if that, or the backend's spelling, is wrong.
std::optional<int> refuse(const OneCaseOptions& options, Plan& plan, std::ostream& error) {
  for (const std::string& literal : options.literals) {
    auto planned = parse_planned_case(literal);
    if (!planned) {
      error << "certile: " << with_caret(planned.error().what, literal) << std::endl;
      return exit_bad_command;
    }
    plan.cases.push_back(*std::move(planned));
  }
  if (const auto failure = check_spelling(options.backend)) {
    error << "certile: " << failure->sentence << std::endl;
    return failure->exit_code;
  }
  return std::nullopt;
}

OneCaseOptions made_ready(const OneCaseOptions& options) {
  OneCaseOptions ready = options;
  ready.run.isolate.spelling = options.backend;
  ready.run.jobs = 1;
  ready.run.interrupted = ready.run.isolate.interrupted = &interrupted();
  return ready;
}

// Returns the exit code if the cases were not asked to the end.
std::optional<int> unfinished(const std::optional<Error>& failure, std::ostream& error) {
  if (interrupted().load()) {
    error << "certile: interrupted" << std::endl;
    return exit_interrupted;
  }
  if (!failure) return std::nullopt;
  return complain(error, failure->what,
                  failure->code == Error::Code::backend_failed ? exit_own_failure : exit_not_loaded);
}

}  // namespace

int run_command(const OneCaseOptions& given, std::ostream& out, std::ostream& error) {
  Plan plan;
  if (const auto code = refuse(given, plan, error)) return *code;
  OneCaseOptions options = made_ready(given);
  bool failed = false;
  bool judged = false;
  bool is_first = true;
  std::vector<std::string> asked;
  const auto on_record = [&](const Record& record) {
    failed = failed || record.now().verdict == Verdict::fail;
    judged = judged || record.now().verdict != Verdict::not_run;
    asked.push_back(record.literal);
    if (record.now().verdict == Verdict::fail)
      explain_failure(out, record, asked, options);
    else if (is_first)
      explain(out, record);
    return Result<Done>(Done{});
  };
  auto ran = run_plan(plan, options.run, on_record);
  if (ran && judged && !failed && !backends::worker_command(options.backend) && !interrupted().load()) {
    // [CT-STEADY] the answers do not depend on what the process has around it
    options.run.isolate.surroundings = options.run.isolate.surroundings.other();
    is_first = false;
    asked.clear();
    ran = run_plan(plan, options.run, on_record);
  }
  out.flush();
  if (const auto code = unfinished(ran ? std::nullopt : std::optional(ran.error()), error)) return *code;
  if (!judged) return exit_nothing_run;
  return failed ? exit_not_conformant : exit_conformant;
}

int shrink_command(const OneCaseOptions& given, std::ostream& out, std::ostream& error) {
  Plan plan;
  if (const auto code = refuse(given, plan, error)) return *code;
  const OneCaseOptions options = made_ready(given);
  const auto shrunk = shrink(given.literals, options.run.isolate);
  if (const auto code = unfinished(shrunk ? std::nullopt : std::optional(shrunk.error()), error))
    return *code;
  out << text_of(*shrunk);
  switch (shrunk->finding.verdict) {
    case Verdict::fail:
      return exit_not_conformant;
    case Verdict::not_run:
      return exit_nothing_run;
    default:
      return exit_conformant;
  }
}

}  // namespace certile::conformance
