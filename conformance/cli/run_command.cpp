#include <optional>

#include "backends/registry/registry.hpp"
#include "conformance/cli/commands.hpp"
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
                     const IsolateOptions& isolate, std::size_t width) {
  out << failure_text(record);
  out << text_of(closer_look(record, isolate, {.width = width}).shown);
  const auto& again = record.reproduce();
  if (!again.empty() && again != asked) out << look_closer(record, isolate.spelling);
  if (!backends::is_library(isolate.spelling)) return;
  const Fault fault = record.now().fault;
  const bool has_crashed = fault == Fault::crash || fault == Fault::read_outside;
  out << "      debug: " << debugger_line(isolate.spelling, again.empty() ? asked : again, has_crashed)
      << '\n';
}

// Reads the literals as cases.  Returns the exit code if that, or the backend's spelling, is wrong.
std::optional<int> refuse(const OneCaseOptions& options, Plan& plan, std::ostream& error) {
  for (const std::string& literal : options.literals) {
    auto planned = parse_planned_case(literal);
    if (!planned) return complain(error, with_caret(planned.error().what, literal));
    plan.cases.push_back(*std::move(planned));
  }
  const auto failure = check_spelling(options.run.isolate.spelling);
  return failure ? std::optional(complain(error, failure->sentence, failure->exit_code)) : std::nullopt;
}

// Returns the exit code if the cases were not asked to the end.
template <class Value>
std::optional<int> unfinished(const Result<Value>& asked, std::ostream& error) {
  if (asked && !interrupted().load()) return std::nullopt;
  const bool is_own = !asked && asked.error().code == Error::Code::backend_failed;
  return give_up(error, asked ? "" : asked.error().what, is_own ? exit_own_failure : exit_not_loaded);
}

}  // namespace

int run_command(const OneCaseOptions& options, std::ostream& out, std::ostream& error) {
  Plan plan;
  if (const auto code = refuse(options, plan, error)) return *code;
  RunOptions run = options.run;
  bool failed = false;
  bool judged = false;
  bool is_first = true;
  std::vector<std::string> asked;
  const auto on_record = [&](const Record& record) {
    failed = failed || record.now().verdict == Verdict::fail;
    judged = judged || record.now().verdict != Verdict::not_run;
    asked.push_back(record.literal);
    if (record.now().verdict == Verdict::fail)
      explain_failure(out, record, asked, run.isolate, options.width);
    else if (is_first)
      explain(out, record);
    return Result<Done>(Done{});
  };
  auto ran = run_plan(plan, run, on_record);
  if (ran && judged && !failed && !backends::worker_command(options.run.isolate.spelling) &&
      !interrupted().load()) {
    // [CT-STEADY] the answers do not depend on what the process has around it
    run.isolate.surroundings = run.isolate.surroundings.other();
    is_first = false;
    asked.clear();
    ran = run_plan(plan, run, on_record);
  }
  out.flush();
  if (const auto code = unfinished(ran, error)) return *code;
  if (!judged) return exit_nothing_run;
  return failed ? exit_not_conformant : exit_conformant;
}

int shrink_command(const OneCaseOptions& options, std::ostream& out, std::ostream& error) {
  Plan plan;
  if (const auto code = refuse(options, plan, error)) return *code;
  const auto shrunk = shrink(options.literals, options.run.isolate);
  if (const auto code = unfinished(shrunk, error)) return *code;
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
