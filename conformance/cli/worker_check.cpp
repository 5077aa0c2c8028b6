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
#include "conformance/ask/process/keeper.hpp"
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
    const Claim& claim = worker_.hello().claim;
    const std::size_t batch = worker_.hello().batch;
    found_.greeting = claim.name + " " + claim.version + ": " +
                      joined(names_of<DefinitionId>(claim.definitions), " ") + "; " +
                      counted(static_cast<std::int64_t>(claim.types.size()), "type") +
                      "; limits: " + size_limits_text(claim) + "; batches of " + std::to_string(batch);
    found_.steps.push_back({"hello", {}});
    const std::vector<Case> cases = calls_for(claim);
    if (cases.empty())
      found_.steps.push_back({"its claim", "no operator takes any of the types that it claims"});
    for (const Case& question : cases)
      ask(question);
    if (batch > 1 && found_.speaks) ask_together(cases);
    found_.diagnostics = worker_.diagnostics();
    return std::move(found_);
  }

 private:
  Result<backends::Message> send(backends::MessageWriter message) {
    if (auto started = worker_.start(); !started) return started.error();
    return worker_.ask(std::move(message), backends::Worker::Clock::now() + call_limit);
  }
  Result<backends::Message> send(std::string_view command, const Case& question, const Tensor& data) {
    backends::MessageWriter message;
    backends::add_call(message, command, question, data);
    return send(std::move(message));
  }

  void ask(const Case& question) {
    found_.steps.push_back({to_string(question), what_is_wrong(question, data_of(question))});
  }

  void ask_together(const std::vector<Case>& cases) {
    backends::MessageWriter message;
    for (std::size_t number = 0; number < cases.size(); ++number) {
      message.set_prefix(std::to_string(number) + ".");
      backends::add_call(message, "run", cases[number], data_of(cases[number]));
    }
    message.set_prefix({});
    message.say("batch", std::to_string(cases.size()));
    const auto answer = send(std::move(message));
    std::string wrong;
    if (!answer)
      wrong = refusal("batch", answer.error());
    else if (answer->word("0.status") == nullptr)
      wrong = refusal("batch",
                      backends::misspoken("a batch's keys carry the number of the call: 0.status, 0.out, "
                                          "1.status"));
    for (std::size_t number = 0; number < cases.size() && wrong.empty(); ++number) {
      wrong = what_is_wrong_with(backends::output_in(*answer, std::to_string(number) + "."), cases[number]);
      if (!wrong.empty()) wrong = to_string(cases[number]) + ": " + wrong;
    }
    found_.steps.push_back({"all of them in one message", wrong});
  }

  std::string what_is_wrong(const Case& question, const Tensor& data) {
    const auto expected = expect(question);
    if (!expected || !std::holds_alternative<Answer>(*expected)) return {};
    const Tensor& right = std::get<Answer>(*expected).tensors.front();
    if (worker_.hello().claim.infers) {
      const auto answer = send("infer", question, data);
      const auto inferred = answer ? backends::inferred_in(*answer, "") : answer.error();
      if (!inferred) return refusal("infer", inferred.error());
      if (*inferred != right.shape())
        return "infer said " + shape_to_string(right.type(), *inferred) + ", expected " + shape_of(right);
    }
    const auto answer = send("run", question, data);
    return what_is_wrong_with(answer ? backends::output_in(*answer, "") : answer.error(), question);
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
