#include "conformance/judge/record.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "conformance/judge/case_traits.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// The names, in the order of the enumerations.
constexpr std::array<std::string_view, verdict_count> verdict_names = {
    "pass", "fail", "unsupported", "waived", "stale-waiver", "inconclusive", "not-run",
};
static_assert(verdict_names.size() == static_cast<std::size_t>(Verdict::not_run) + 1);
constexpr std::array<std::string_view, author_count> author_names = {"diagnosis", "closing", "waiver",
                                                                     "stopped"};
static_assert(author_names.size() == static_cast<std::size_t>(Amendment::By::stopped) + 1);
constexpr std::array<std::string_view, reason_count> reason_names = {
    "", "stopped", "time-was-up", "all-in-vain", "not-confirmed", "not-asked-again"};
constexpr std::array<std::string_view, reason_count> reason_sentences = {
    "",
    "the run was stopped before",
    "calls crash, hang, run out of memory or take seconds, and the time was up",
    "hundreds of calls in a row crashed, hung or ran out of memory",
    "it timed out, and was not asked again, because other calls had hung",
    "it was not asked again alone, because other failures of its clause were"};
static_assert(reason_names.size() == static_cast<std::size_t>(Reason::not_asked_again) + 1);

template <class Enumerator>
std::optional<Enumerator> named(const auto& names, std::string_view name) noexcept {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumerator>(found - names.begin());
}

}  // namespace

std::string_view name(Verdict verdict) noexcept {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view name) noexcept {
  return named<Verdict>(verdict_names, name);
}

std::string_view name(Amendment::By author) noexcept {
  return author_names[static_cast<std::size_t>(author)];
}

std::optional<Amendment::By> author_named(std::string_view name) noexcept {
  return named<Amendment::By>(author_names, name);
}

std::string_view name(Reason reason) noexcept {
  return reason_names[static_cast<std::size_t>(reason)];
}

std::optional<Reason> reason_named(std::string_view name) noexcept {
  return named<Reason>(reason_names, name);
}

std::string_view sentence(Reason reason) noexcept {
  return reason_sentences[static_cast<std::size_t>(reason)];
}

const Finding& Record::now() const noexcept {
  return amendments.empty() ? static_cast<const Finding&>(judged) : amendments.back();
}

const std::vector<std::string>& Record::reproduce() const noexcept {
  static const std::vector<std::string> none;
  const auto last = std::find_if(amendments.rbegin(), amendments.rend(),
                                 [](const Amendment& each) { return !each.reproduce.empty(); });
  return last == amendments.rend() ? none : last->reproduce;
}

bool Record::was_asked_again() const noexcept {
  const auto diagnosis = std::ranges::find(amendments, Amendment::By::diagnosis, &Amendment::by);
  return diagnosis != amendments.end() && diagnosis->reason != Reason::not_asked_again;
}

void Record::annotate(Amendment::By author, const std::string& line) {
  Finding finding = now();
  finding.words += "\n" + line;
  amendments.push_back({std::move(finding), author});
}

void Record::leave_as_found() {
  annotate(Amendment::By::diagnosis, std::string(sentence(Reason::not_asked_again)));
  amendments.back().reason = Reason::not_asked_again;
}

namespace {

// The most elements and characters of an output in a record, which with them is about twice as long.
constexpr std::int64_t most_elements = 64;
constexpr std::size_t most_characters = 1024;

}  // namespace

std::optional<SmallOutput> small_output(const Observation& seen) {
  const auto* produced = std::get_if<Produced>(&seen.outcome);
  if (produced == nullptr || produced->outputs.size() != 1) return std::nullopt;
  Tensor output = produced->outputs.front();
  if (output.count() == 0 || output.count() > most_elements || output.bytes().empty()) return std::nullopt;
  SmallOutput small;
  if (!seen.unwritten.empty())
    for (std::size_t index = 0; index < seen.unwritten.front().size(); ++index)
      if (seen.unwritten.front()[index]) small.unwritten.push_back(static_cast<std::int64_t>(index));
  const bool is_string = output.type() == ElementType::string;
  if (is_string && !small.unwritten.empty()) return std::nullopt;
  // What was in an element before the call is no answer, and differs between runs.
  for (const std::int64_t index : small.unwritten)
    output.set_element(index, {});
  small.elements = to_string(output);
  if (small.elements.size() > most_characters) return std::nullopt;
  return small;
}

Plainness plainness_of(const Case& question, const std::string& literal) {
  Plainness plainness;
  plainness.length = literal.size();
  plainness.literal = literal;
  const CaseTraits traits = traits_of(question);
  const ElementType type = question.data.type();
  constexpr std::size_t longest_at_sight = 200;
  plainness.has_fill = question.fill != Fill{} || literal.size() > longest_at_sight;
  plainness.is_empty = traits.empty_data || traits.zero;
  plainness.axes = question.data.shape().size();
  plainness.elements =
      element_count(question.data.shape()).value_or(std::numeric_limits<std::int64_t>::max());
  plainness.is_rare_type = type != ElementType::f32 && type != ElementType::u8 && type != ElementType::i32 &&
                           type != ElementType::i64;
  return plainness;
}

Plainness plainness_of(const std::string& literal) {
  if (const auto question = parse_case(literal)) return plainness_of(*question, literal);
  Plainness plainness;
  plainness.is_unreadable = true;
  plainness.length = literal.size();
  plainness.literal = literal;
  return plainness;
}

}  // namespace certile::conformance
