#include "conformance/explain/closer_look.hpp"

#include <fmt/format.h>

#include <deque>

#include "conformance/explain/place_rules.hpp"
#include "conformance/explain/value_rules.hpp"
#include "conformance/run/diagnosis.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

std::string look_at(const WrongElements& found, const PictureSize& size) {
  std::string text;
  const std::string picture = picture_of(found, size);
  if (!picture.empty()) text += "\n" + picture;
  for (const std::string& sentence : where_wrong(found))
    text += "      where: " + sentence + "\n";
  if (const std::string words = what_instead(found); !words.empty())
    text += (found.wrong.size() == 1 ? "      the wrong element is " : "      the wrong elements are ") +
            words + "\n";
  return text;
}

}  // namespace

std::string closer_look(const Record& failure, const IsolateOptions& options, const PictureSize& size) {
  std::vector<std::string> literals = failure.reproduce();
  if (literals.empty()) literals.push_back(failure.literal);
  std::deque<PlannedCase> cases;
  std::vector<const PlannedCase*> sequence;
  for (const std::string& literal : literals) {
    auto planned = parse_planned_case(literal);
    if (!planned) return {};
    cases.push_back(*std::move(planned));
    sequence.push_back(&cases.back());
  }
  const auto judged = Diagnosis(options).ask_in_order(sequence);
  if (!judged || judged->record.judged.verdict != Verdict::fail) return {};
  const auto* expected = std::get_if<Answer>(&judged->expected);
  const auto* produced = std::get_if<Produced>(&judged->seen.outcome);
  if (expected == nullptr || produced == nullptr) return {};
  const auto& unwritten = judged->seen.unwritten;
  for (std::size_t call = 0; call < std::min(expected->tensors.size(), produced->outputs.size()); ++call) {
    const Tensor data = data_of(cases.back().question, static_cast<int>(call));
    const auto found = wrong_elements_of(expected->tensors[call], produced->outputs[call], data,
                                         call < unwritten.size() ? unwritten[call] : std::vector<bool>());
    if (!found) continue;
    const std::string which =
        expected->tensors.size() == 1 ? "" : fmt::format("      concurrent call {}:\n", call);
    return which + look_at(*found, size);
  }
  return {};
}

}  // namespace certile::conformance
