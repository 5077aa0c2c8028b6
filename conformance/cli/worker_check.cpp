#include "conformance/cli/worker_check.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "backends/plugin/call.hpp"
#include "backends/worker/worker_backend.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/plan/tiers/scope.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile::conformance {
namespace {

using namespace std::chrono_literals;
constexpr auto call_limit = 10s;

struct Factors {
  Shape shape, repeats;
  std::optional<std::int64_t> axis = {};
};

// Returns calls that neither promote nor have zeros, with nothing empty and nothing to refuse.
std::vector<Factors> calls_of(DefinitionId definition) {
  if (has_axis(definition))
    return {{{1}, {1}, 0},    {{3}, {1}, 0},    {{3}, {2}, 0},    {{2, 3}, {1}, 1},
            {{2, 3}, {2}, 0}, {{2, 3}, {2}, 1}, {{2, 3}, {4}, 1}, {{2, 1, 2}, {3}, 1}};
  return {{{1}, {1}},       {{3}, {1}},       {{3}, {2}},       {{2, 3}, {1, 1}},
          {{2, 3}, {2, 1}}, {{2, 3}, {1, 2}}, {{2, 3}, {2, 2}}, {{2, 1, 2}, {1, 3, 1}}};
}

std::vector<Case> calls_for(const Claim& claim) {
  std::vector<Case> cases;
  for (const DefinitionId definition : claim.definitions) {
    const Scope scope(definition, claim);
    if (scope.empty()) continue;
    const auto& types = scope.types();
    const bool has_f32 = std::ranges::find(types, ElementType::f32) != types.end();
    for (Factors& call : calls_of(definition)) {
      Draft draft;
      draft.type = has_f32 ? ElementType::f32 : types.front();
      draft.shape = std::move(call.shape);
      draft.repeats = std::move(call.repeats);
      draft.axis = call.axis;
      std::ranges::move(scope.cases_of(draft), std::back_inserter(cases));
    }
    return cases;
  }
  return cases;
}

std::string shape_of(const Tensor& tensor) {
  return shape_to_string(tensor.type(), tensor.shape());
}

class Check {
 public:
  explicit Check(backends::WorkerBackend& worker) : worker_(worker) {}

  WorkerCheck run() {
    const Claim claim = worker_.claim();
    found_.greeting =
        claim.name + " " + claim.version + ": " + joined(names_of<DefinitionId>(claim.definitions), " ") +
        "; " + counted(static_cast<std::int64_t>(claim.types.size()), "type") +
        "; limits: " + size_limits_text(claim) + "; batches of " + std::to_string(worker_.batch());
    found_.steps.push_back({"hello", {}});
    const std::vector<Case> cases = calls_for(claim);
    if (cases.empty())
      found_.steps.push_back({"its claim", "no operator takes any of the types that it claims"});
    for (const Case& question : cases)
      ask(question);
    if (worker_.batch() > 1 && found_.speaks) ask_together(cases);
    found_.diagnostics = worker_.diagnostics();
    return std::move(found_);
  }

 private:
  void ask(const Case& question) {
    const Tensor data = data_of(question);
    found_.steps.push_back({to_string(question), what_is_wrong(question, backends::call_of(question, data))});
  }

  void ask_together(const std::vector<Case>& cases) {
    std::vector<Tensor> data;
    std::vector<backends::Call> calls;
    for (const Case& question : cases)
      data.push_back(data_of(question));
    for (std::size_t index = 0; index < cases.size(); ++index)
      calls.push_back(backends::call_of(cases[index], data[index]));
    const auto outputs = worker_.answers(calls);
    std::string wrong = outputs ? "" : outputs.error().what;
    for (std::size_t index = 0; outputs && index < cases.size() && wrong.empty(); ++index) {
      wrong = what_is_wrong_with((*outputs)[index], cases[index]);
      if (!wrong.empty()) wrong = to_string(cases[index]) + ": " + wrong;
    }
    if (!worker_.misspoken().empty()) found_.speaks = false;
    found_.steps.push_back({"all of them in one message", wrong});
  }

  std::string what_is_wrong(const Case& question, const backends::Call& call) {
    const auto expected = expect(question);
    if (!expected || !std::holds_alternative<Answer>(*expected)) return {};
    const Tensor& right = std::get<Answer>(*expected).tensors.front();
    if (worker_.claim().infers) {
      const auto inferred = worker_.infer(call);
      if (!inferred) return refusal("infer", inferred.error());
      if (*inferred != right.shape())
        return "infer said " + shape_to_string(right.type(), *inferred) + ", expected " + shape_of(right);
    }
    return what_is_wrong_with(worker_.answer(call), question);
  }

  std::string what_is_wrong_with(const Result<Tensor>& output, const Case& question) {
    const auto expected = expect(question);
    if (!expected || !std::holds_alternative<Answer>(*expected)) return {};
    const Tensor& right = std::get<Answer>(*expected).tensors.front();
    if (!output) return refusal("run", output.error());
    if (output->type() != right.type() || output->shape() != right.shape())
      return "the output is " + shape_of(*output) + ", expected " + shape_of(right) +
             "; out.type and out.shape give its type and shape";
    if (const auto differs = difference(right, *output)) return describe(*differs, right, *output);
    return {};
  }

  std::string refusal(const char* command, const Error& error) {
    if (!worker_.misspoken().empty()) {
      found_.speaks = false;
      return error.what;
    }
    return std::string(command) + " should be ok for this call, and says: " + error.what;
  }

  backends::WorkerBackend& worker_;
  WorkerCheck found_;
};

}  // namespace

bool WorkerCheck::is_right() const {
  return std::all_of(steps.begin(), steps.end(), [](const Step& step) { return step.wrong.empty(); });
}

Result<WorkerCheck> check_worker(const std::string& command) {
  auto worker = backends::WorkerBackend::open(
      command, {backends::Process::Diagnostics::kept, call_limit, [] { return interrupted().load(); }});
  if (!worker) return worker.error();
  return Check(**worker).run();
}

int worker_check_command(const std::string& command, std::ostream& out, std::ostream& error) {
  const auto check = check_worker(command);
  if (interrupted().load()) {
    error << "certile: interrupted" << std::endl;
    return exit_interrupted;
  }
  if (!check) {
    error << "certile: " << printable_lines(check.error().what) << std::endl;
    return exit_not_loaded;
  }
  out << printable(check->greeting) << '\n';
  for (const WorkerCheck::Step& step : check->steps) {
    out << (step.wrong.empty() ? "  right  " : "  WRONG  ") << step.asked << '\n';
    if (!step.wrong.empty()) out << "         " << printable(step.wrong) << '\n';
  }
  if (!check->is_right() && !check->diagnostics.empty())
    out << "it printed to standard error:\n" << printable_lines(check->diagnostics) << '\n';
  if (check->is_right()) {
    out << "It speaks the protocol. Next: certile certify " << quoted_for_shell("worker:" + command)
        << " --tier smoke\n";
    return exit_conformant;
  }
  return check->speaks ? exit_not_conformant : exit_not_loaded;
}

}  // namespace certile::conformance
