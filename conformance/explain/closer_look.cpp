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
std::string look_at(const WrongElements& found, Outputs also, const PictureSize& size,
                    const OtherAnswer& told) {
  std::string text;
  const std::string picture = picture_of(found, size);
  if (!picture.empty()) text += "\n" + picture;
  // To know whose answer it is says more than what the wrong elements are, or where they lie.
  if (told.is_whole) return text;
  for (const std::string& sentence : where_wrong(found))
    text += "      where: " + sentence + "\n";
  if (!told.words.empty()) return text;
  // The picture shows them as not written.
  const auto is_unwritten = [&](std::int64_t index) { return found.is_unwritten(index); };
  if (!picture.empty() && std::ranges::all_of(found.wrong, is_unwritten)) return text;
  if (const std::string words = what_instead(found, also); !words.empty())
    text += (found.wrong.size() == 1 ? "      the wrong element is " : "      the wrong elements are ") +
            words + "\n";
  return text;
}

// Returns the picture of the first wrong output, and the sentences about it that the record does not have.
std::string lines_of(const Judged& judged, std::span<const PlannedCase* const> earlier, const Record& failure,
                     Outputs also, const PictureSize& size) {
  const auto* expected = std::get_if<Answer>(&judged.expected);
  const auto* produced = std::get_if<Produced>(&judged.seen.outcome);
  if (expected == nullptr || produced == nullptr) return {};
  OtherAnswer told = whose_answer(judged, earlier, IsNamed::last_call);
  // A run that asked too little again has not said so.
  if (failure.now().words.find(told.words) == std::string::npos) told = {};
  const auto& unwritten = judged.seen.unwritten;
  const auto whole = expected->is_in_pieces ? whole_answer(judged.question) : Result<Answer>(*expected);
  if (!whole) return {};
  const std::vector<Tensor>& tensors = whole->tensors;
  for (std::size_t call = 0; call < std::min(tensors.size(), produced->outputs.size()); ++call) {
    const Tensor data = data_of(judged.question, static_cast<int>(call));
    const auto found = wrong_elements_of(tensors[call], produced->outputs[call], data,
                                         call < unwritten.size() ? unwritten[call] : std::vector<bool>());
    if (!found) continue;
    const std::string which = tensors.size() == 1 ? "" : fmt::format("      concurrent call {}:\n", call);
    return which + look_at(*found, also, size, told);
  }
  return {};
}

// Returns true if the first output of the case, which the record has, is the one that its words are about.
bool has_words_of_first_output(const Record& failure) {
  const std::string& first = failure.judged.words;
  return failure.judged.output &&
         failure.now().words.find(first.substr(first.rfind('\n') + 1)) != std::string::npos;
}

std::vector<const PlannedCase*> pointers_to(const std::deque<PlannedCase>& cases) {
  std::vector<const PlannedCase*> pointers;
  for (const PlannedCase& each : cases)
    pointers.push_back(&each);
  return pointers;
}

}  // namespace

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
    // What the record has goes with its words; another attempt may fail in another way.
    if (has_words_of_first_output(failure)) look.lines = recorded_look(failure, size, also);
    if (look.lines.empty())
      look.lines = lines_of(*judged, std::span(sequence).first(sequence.size() - 1), failure, also, size);
  }
  const Case question = cases.back().question();
  const bool is_about_addresses = failure.now().fault == Fault::misplaced || question.placement.offset != 0;
  if (look.failed && is_about_addresses && question.placement.threads == 1 && sequence.size() == 1)
    if (const std::string where = failing_addresses(question, asker); !where.empty())
      look.lines += "      it fails only " + where + "\n";
  return look;
}

std::string recorded_look(const Record& failure, const PictureSize& size, Outputs also) {
  const std::deque<PlannedCase> cases = cases_of(failure);
  const auto judged = recorded_answer(failure);
  if (cases.empty() || !judged) return {};
  const auto sequence = pointers_to(cases);
  return lines_of(*judged, std::span(sequence).first(sequence.size() - 1), failure, also, size);
}

}  // namespace certile::conformance
