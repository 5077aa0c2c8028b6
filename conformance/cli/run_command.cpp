#include "conformance/cli/run_command.hpp"

#include "conformance/report/report.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/interrupt.hpp"
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

}  // namespace

int run_command(const std::string& backend, const std::vector<std::string>& literals,
                const RunOptions& options, std::ostream& out, std::ostream& error) {
  Plan plan;
  for (const std::string& literal : literals) {
    auto planned = parse_planned_case(literal);
    if (!planned) {
      error << "certile: " << planned.error().what << ": " << printable(literal) << std::endl;
      return exit_bad_command;
    }
    plan.cases.push_back(*std::move(planned));
  }
  if (const auto failure = check_spelling(backend)) {
    error << "certile: " << failure->sentence << std::endl;
    return failure->exit_code;
  }
  RunOptions alone = options;
  alone.isolate.spelling = backend;
  alone.jobs = 1;
  alone.interrupted = alone.isolate.interrupted = &interrupted();
  bool failed = false;
  bool judged = false;
  const auto ran = run_plan(plan, alone, [&](const Record& record) {
    failed = failed || record.now().verdict == Verdict::fail;
    judged = judged || record.now().verdict != Verdict::not_run;
    if (record.now().verdict == Verdict::fail)
      out << describe_failure(record, backend);
    else
      explain(out, record);
    return Result<Done>(Done{});
  });
  out.flush();
  if (interrupted().load()) {
    error << "certile: interrupted" << std::endl;
    return exit_interrupted;
  }
  if (!ran) {
    error << "certile: " << printable(ran.error().what) << std::endl;
    return ran.error().code == Error::Code::backend_failed ? exit_own_failure : exit_not_loaded;
  }
  if (!judged) return exit_nothing_run;
  return failed ? exit_not_conformant : exit_conformant;
}

}  // namespace certile::conformance
