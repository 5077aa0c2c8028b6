#include "conformance/explain/recorded_output.hpp"

#include <utility>

#include "reference/values/fill.hpp"
#include "reference/values/literal_operand.hpp"
#include "reference/values/literal_scanner.hpp"

namespace certile::conformance {

std::deque<PlannedCase> cases_of(const Record& failure) {
  std::vector<std::string> literals = failure.reproduce();
  if (literals.empty()) literals.push_back(failure.literal);
  std::deque<PlannedCase> cases;
  for (const std::string& literal : literals) {
    auto planned = parse_planned_case(literal);
    if (!planned) return {};
    cases.push_back(*std::move(planned));
  }
  return cases;
}

std::optional<Judged> recorded_answer(const Record& failure) {
  if (!failure.judged.output) return std::nullopt;
  const auto question = parse_case(failure.literal);
  if (!question || question->placement.threads > 1 || may_have_a_large_answer(*question)) return std::nullopt;
  auto expected = expect(*question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  LiteralScanner scanner(failure.judged.output->elements);
  const auto seen = take_operand(scanner);
  if (answer == nullptr || answer->tensors.size() != 1 || !seen || seen->bytes().empty()) return std::nullopt;
  std::vector<bool> unwritten(static_cast<std::size_t>(answer->tensors.front().count()));
  for (const std::int64_t index : failure.judged.output->unwritten) {
    if (index < 0 || index >= std::ssize(unwritten)) return std::nullopt;
    unwritten[static_cast<std::size_t>(index)] = true;
  }
  Judged judged;
  judged.question = *question;
  judged.expected = *std::move(expected);
  judged.seen.outcome = Produced{{*seen}};
  judged.seen.unwritten = {std::move(unwritten)};
  return judged;
}

std::optional<WrongElements> recorded_elements(const Record& failure) {
  const auto judged = recorded_answer(failure);
  if (!judged) return std::nullopt;
  return wrong_elements_of(std::get<Answer>(judged->expected).tensors.front(),
                           std::get<Produced>(judged->seen.outcome).outputs.front(),
                           data_of(judged->question), judged->seen.unwritten.front());
}

}  // namespace certile::conformance
