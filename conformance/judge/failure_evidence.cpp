#include "conformance/judge/failure_evidence.hpp"

#include <array>
#include <csignal>
#include <utility>

#include "backends/plugin/captured_output.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t longest_message = 2000;

std::string with_message(std::string what, std::string_view message) {
  while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
    message.remove_suffix(1);
  if (message.empty()) return what;
  return std::move(what) + ": " + with_lines_indented(shortened(printable_lines(message), longest_message));
}

std::string_view signal_name(int signal) {
  constexpr std::array<std::pair<int, std::string_view>, 9> names = {{
      {SIGSEGV, "SIGSEGV"},
      {SIGABRT, "SIGABRT"},
      {SIGBUS, "SIGBUS"},
      {SIGFPE, "SIGFPE"},
      {SIGILL, "SIGILL"},
      {SIGKILL, "SIGKILL"},
      {SIGTERM, "SIGTERM"},
      {SIGTRAP, "SIGTRAP"},
      {SIGXCPU, "SIGXCPU"},
  }};
  for (const auto& [number, name] : names)
    if (number == signal) return name;
  return "";
}

struct Describe {
  std::string operator()(const Produced&) const { return {}; }
  std::string operator()(const Refused& refused) const { return with_message("refused", refused.message); }
  std::string operator()(const Unsupported& unsupported) const {
    return with_message("said that it does not support this", unsupported.message);
  }
  std::string operator()(const Failed& failed) const {
    return with_message(failed.out_of_memory ? "ran out of memory" : "failed", failed.message);
  }
  std::string operator()(const Crashed& crashed) const {
    if (crashed.signal == 0)
      return with_message("ended its process with exit code " + std::to_string(crashed.exit_code),
                          crashed.message);
    std::string what = "crashed with signal " + std::to_string(crashed.signal);
    if (const auto name = signal_name(crashed.signal); !name.empty())
      what.append(" (").append(name).append(")");
    return with_message(std::move(what), crashed.message);
  }
  std::string operator()(const TimedOut& late) const {
    return "gave no answer within " + std::to_string(late.milliseconds) + " ms";
  }
  std::string operator()(const NotAsked& not_asked) const { return not_asked.why; }
};

}  // namespace

std::string message_of(const Outcome& outcome) {
  return std::visit(Describe{}, outcome);
}

std::string wrong_shape(std::string_view what, ElementType type, const Shape& right, const Shape& seen) {
  std::string text(what);
  text += " " + shape_to_string(type, seen) + ", expected " + shape_to_string(type, right);
  return text;
}

std::string what_was_given(const Case& question, const Observation& seen, const Outcome& outcome) {
  const auto* produced = std::get_if<Produced>(&outcome);
  if (produced == nullptr) return message_of(outcome);
  if (seen.produced_shape) return "gave " + shape_to_string(question.data.type(), *seen.produced_shape);
  if (!produced->outputs.empty()) {
    const Tensor& output = produced->outputs.front();
    return "gave " + shape_to_string(output.type(), output.shape());
  }
  if (seen.inferred && *seen.inferred)
    return "inferred " + shape_to_string(question.data.type(), **seen.inferred);
  return seen.details.empty() ? "gave an answer" : seen.details;
}

void append_diagnostics(Finding& finding, std::string_view diagnostics) {
  // An answer has as many axes, and a record as many words, as a backend wants.
  constexpr std::size_t most_words = 8'000;
  std::string& explanation = finding.words;
  explanation = shortened(explanation, most_words);
  const std::string words = backends::printed_words(diagnostics);
  if (words.empty()) return;
  finding.printed_at = explanation.size();
  if (!explanation.empty()) explanation += '\n';
  explanation += printable_lines(words);
}

}  // namespace certile::conformance
