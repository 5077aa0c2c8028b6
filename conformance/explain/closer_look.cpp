#include "conformance/explain/closer_look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "conformance/explain/picture.hpp"
#include "conformance/explain/place_rules.hpp"
#include "conformance/explain/value_rules.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/run/other_answer.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// A failure that depends on chance may pass again.
constexpr int most_tries = 5;

using Outputs = std::span<const WrongElements>;

// Returns the picture and the sentences.  `told` is what the record says of the call whose answer it is.
PicturedFailure look_at(const WrongElements& found, Outputs also, const PictureSize& size,
                        const OtherAnswer& told) {
  PicturedFailure look{"", picture_of(found, size), ""};
  // To know whose answer it is says more than what the wrong elements are, or where they lie.
  if (told.is_whole) return look;
  for (const std::string& sentence : where_wrong(found))
    look.sentences += "      where: " + sentence + "\n";
  if (!told.words.empty()) return look;
  // The picture shows them as not written.
  const auto is_unwritten = [&](std::int64_t index) { return found.is_unwritten(index); };
  if (look.picture && std::ranges::all_of(found.wrong, is_unwritten)) return look;
  if (const std::string words = what_instead(found, also); !words.empty())
    look.sentences += (found.wrong.size() == 1 && !words.starts_with("the expected ones")
                           ? "      the wrong element is "
                           : "      the wrong elements are ") +
                      words + "\n";
  return look;
}

// Returns the picture of the first wrong output, and the sentences about it that the record does not have.
PicturedFailure look_at_first(const Judged& judged, std::span<const PlannedCase* const> earlier, Outputs also,
                              const PictureSize& size) {
  const auto* expected = std::get_if<Answer>(&judged.expected);
  const auto* produced = std::get_if<Produced>(&judged.seen.outcome);
  if (expected == nullptr || produced == nullptr) return {};
  const OtherAnswer told = whose_answer(judged, earlier, IsNamed::last_call);
  const auto& unwritten = judged.seen.unwritten;
  const auto whole = expected->is_in_pieces ? whole_answer(judged.question) : Result<Answer>(*expected);
  if (!whole) return {};
  const std::vector<Tensor>& tensors = whole->tensors;
  for (std::size_t call = 0; call < std::min(tensors.size(), produced->outputs.size()); ++call) {
    const Tensor data = data_of(judged.question, static_cast<int>(call));
    const auto found = wrong_elements_of(tensors[call], produced->outputs[call], data,
                                         call < unwritten.size() ? unwritten[call] : std::vector<bool>());
    if (!found) continue;
    PicturedFailure look = look_at(*found, also, size, told);
    if (tensors.size() > 1) look.which = fmt::format("concurrent call {}", call);
    return look;
  }
  return {};
}

std::vector<const PlannedCase*> pointers_to(const std::deque<PlannedCase>& cases) {
  std::vector<const PlannedCase*> pointers;
  for (const PlannedCase& each : cases)
    pointers.push_back(&each);
  return pointers;
}

}  // namespace

std::string text_of(const PicturedFailure& look) {
  return (look.which.empty() ? "" : "      " + look.which + ":\n") +
         (look.picture ? "\n" + text_of(*look.picture) : std::string()) + look.sentences;
}

CloserLook closer_look(const Record& failure, const IsolateOptions& options, const PictureSize& size,
                       Outputs also) {
  CloserLook look;
  // A backend that cannot be closed answers well.
  if (!failure.amendments.empty() && failure.amendments.back().by == Amendment::By::closing) return look;
  const std::deque<PlannedCase> cases = cases_of(failure);
  if (cases.empty()) return look;
  const auto sequence = pointers_to(cases);
  Diagnosis asker(options);
  const auto is_stopped = [&] { return options.interrupted != nullptr && options.interrupted->load(); };
  while (!look.failed && look.asked < most_tries && !is_stopped()) {
    const auto judged = asker.ask_in_order(sequence);
    if (!judged) return look;
    ++look.asked;
    look.failed = judged->record.judged.verdict == Verdict::fail;
    if (!look.failed) continue;
    // Another attempt may fail in another way than the record tells.
    if (failure.judged.output && failure.now().fault == failure.judged.fault)
      look.shown = recorded_look(failure, size, also);
    if (text_of(look.shown).empty())
      look.shown = look_at_first(*judged, std::span(sequence).first(sequence.size() - 1), also, size);
  }
  const Case question = cases.back().question();
  const bool is_about_addresses = failure.now().fault == Fault::misplaced || question.placement.offset != 0;
  if (look.failed && is_about_addresses && question.placement.threads == 1 && sequence.size() == 1)
    if (const std::string where = failing_addresses(question, asker); !where.empty())
      look.shown.sentences += "      it fails only " + where + "\n";
  return look;
}

PicturedFailure recorded_look(const Record& failure, const PictureSize& size, Outputs also) {
  const std::deque<PlannedCase> cases = cases_of(failure);
  const auto judged = recorded_answer(failure);
  if (cases.empty() || !judged) return {};
  const auto sequence = pointers_to(cases);
  return look_at_first(*judged, std::span(sequence).first(sequence.size() - 1), also, size);
}

}  // namespace certile::conformance
