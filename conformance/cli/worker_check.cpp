#include "conformance/cli/worker_check.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/worker/calls.hpp"
#include "backends/worker/worker.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/kept_worker.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/plan/tiers/scope.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

using namespace std::chrono_literals;
constexpr auto call_limit = 10s;

// A call with the right answer.
struct Call {
  Case question;
  Tensor data, right;
};

// Returns calls that neither promote nor have zeros, with nothing empty and nothing to refuse.
std::vector<Draft> drafts_of(DefinitionId definition, ElementType type) {
  if (has_axis(definition))
    return {{type, {1}, {1}, 0},    {type, {3}, {1}, 0},      {type, {3}, {2}, 0},
            {type, {2, 3}, {1}, 1}, {type, {2, 3}, {2}, 0},   {type, {2, 3}, {2}, 1},
            {type, {2, 3}, {4}, 1}, {type, {2, 1, 2}, {3}, 1}};
  return {
      {type, {1}, {1}},       {type, {3}, {1}},       {type, {3}, {2}},       {type, {2, 3}, {1, 1}},
      {type, {2, 3}, {2, 1}}, {type, {2, 3}, {1, 2}}, {type, {2, 3}, {2, 2}}, {type, {2, 1, 2}, {1, 3, 1}}};
}

std::vector<Call> calls_for(const Claim& claim) {
  std::vector<Call> calls;
  for (const DefinitionId definition : claim.definitions) {
    const Scope scope(definition, claim);
    if (scope.empty()) continue;
    const bool has_f32 = contains(scope.types(), ElementType::f32);
    for (const Draft& draft : drafts_of(definition, has_f32 ? ElementType::f32 : scope.types().front()))
      for (const Case& question : scope.cases_of(draft)) {
        const auto expected = expect(question);
        if (expected && std::holds_alternative<Answer>(*expected))
          calls.push_back({question, data_of(question), std::get<Answer>(*expected).tensors.front()});
      }
    break;
  }
  return calls;
}

std::string shape_of(const Tensor& tensor) {
  return shape_to_string(tensor.type(), tensor.shape());
}

// A check under way: one message after the other, without looking ahead.
class Checker {
 public:
  Checker(const std::string& command, const IsolateOptions& options)
      : processes_(options),
        worker_(
            command, [this](const std::string& text) { return processes_.start(text); },
            [] { return interrupted().load(); }) {}

  Result<WorkerCheck> run() {
    if (auto started = worker_.start(); !started) return started.error();
    const Claim& claim = worker_.claim();
    found_.greeting = claim.name + " " + claim.version + ": " +
                      joined(names_of<DefinitionId>(claim.definitions), " ") + "; " +
                      counted(static_cast<std::int64_t>(claim.types.size()), "type") +
                      "; limits: " + size_limits_text(claim);
    found_.steps.push_back({"hello", {}});
    const std::vector<Call> calls = calls_for(claim);
    if (calls.empty())
      found_.steps.push_back({"its claim", "no operator takes any of the types that it claims"});
    for (const Call& call : calls)
      found_.steps.push_back({to_string(call.question), what_is_wrong(call)});
    found_.diagnostics = worker_.diagnostics();
    return std::move(found_);
  }

 private:
  Result<backends::Message> send(backends::MessageWriter message) {
    if (auto started = worker_.start(); !started) return started.error();
    return worker_.ask(std::move(message), backends::Worker::Clock::now() + call_limit);
  }
  Result<backends::Message> send(std::string_view command, const Call& call) {
    backends::MessageWriter message;
    backends::add_call(message, command, call.question, call.data);
    return send(std::move(message));
  }

  std::string what_is_wrong(const Call& call) {
    const Tensor& right = call.right;
    if (worker_.claim().infers) {
      const auto answer = send("infer", call);
      const auto inferred = answer ? backends::inferred_in(*answer) : answer.error();
      if (!inferred) return refusal("infer", inferred.error());
      if (*inferred != right.shape())
        return "infer said " + shape_to_string(right.type(), *inferred) + ", expected " + shape_of(right);
    }
    const auto answer = send("run", call);
    return what_is_wrong_with(answer ? backends::output_in(*answer) : answer.error(), call);
  }

  std::string what_is_wrong_with(const Result<Tensor>& output, const Call& call) {
    const Tensor& right = call.right;
    if (!output) return refusal("run", output.error());
    if (output->type() != right.type() || output->shape() != right.shape())
      return "the output is " + shape_of(*output) + ", expected " + shape_of(right) +
             "; out.type and out.shape give its type and shape";
    if (const auto differs = difference(right, *output)) return describe(*differs, right, *output);
    return {};
  }

  // Returns the error in the words for a step, just after the message that it answers.
  std::string refusal(const char* command, const Error& error) {
    if (backends::is_misspoken(error) || worker_.lost() == backends::Worker::Lost::unreadable) {
      found_.speaks = false;
      return error.what;
    }
    return std::string(command) + " should be ok for this call, and says: " + error.what;
  }

  KeptWorker processes_;
  backends::Worker worker_;
  WorkerCheck found_;
};

}  // namespace

bool WorkerCheck::is_right() const {
  return std::all_of(steps.begin(), steps.end(), [](const Step& step) { return step.wrong.empty(); });
}

Result<WorkerCheck> check_worker(const std::string& command, const IsolateOptions& options) {
  return Checker(command, options).run();
}

int worker_check_command(const std::string& command, std::ostream& out, std::ostream& error) {
  const auto check = check_worker(command, {});
  if (!check || interrupted().load()) return give_up(error, check ? "" : check.error().what, exit_not_loaded);
  out << printable(check->greeting) << '\n';
  for (const WorkerCheck::Step& step : check->steps) {
    out << (step.wrong.empty() ? "  right  " : "  WRONG  ") << step.asked << '\n';
    if (!step.wrong.empty()) out << "         " << with_lines_indented(printable_lines(step.wrong)) << '\n';
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
