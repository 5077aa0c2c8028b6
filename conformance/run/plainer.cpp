#include "conformance/run/plainer.hpp"
#include "reference/oracle/definition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include "conformance/judge/case_traits.hpp"

namespace certile {
namespace {

// What a plainer case may have at most, so that asking it costs nothing.
constexpr std::int64_t most_elements = 100'000;

std::optional<std::int64_t> number(const std::string& spelling) {
  std::int64_t value = 0;
  const char* end = spelling.data() + spelling.size();
  const auto read = std::from_chars(spelling.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

bool are_numbers(const Operand& operand, std::int64_t most) {
  return operand.elements && std::ranges::all_of(*operand.elements, [most](const std::string& spelling) {
           const auto value = number(spelling);
           return value && *value <= most && *value >= -most;
         });
}

// Dimensions that differ instead of zeros.
std::optional<Case> with_elements(const Case& question) {
  Case plainer = question;
  std::int64_t next = 2;
  for (std::int64_t& dimension : plainer.data.shape)
    if (dimension == 0) dimension = next++;
  const auto count = element_count(plainer.data.shape);
  const bool is_small = count && (question.placement.shape_only || *count <= most_elements);
  if (plainer.data.shape == question.data.shape || !is_small) return std::nullopt;
  plainer.data.elements.reset();
  return plainer;
}

// Tiles and axis of rank 0.
std::optional<Case> of_scalars(const Case& question) {
  if (!question.axis) return std::nullopt;
  Case plainer = question;
  for (Operand* operand : {&plainer.repeats, &*plainer.axis}) {
    if (!operand->elements || operand->elements->size() != 1) return std::nullopt;
    operand->shape.clear();
  }
  if (plainer == question) return std::nullopt;
  return plainer;
}

// Repeats of type i64; tiles and axis of the data's type.
std::optional<Case> of_usual_types(const Case& question) {
  Case plainer = question;
  if (!question.axis) {
    if (!are_numbers(question.repeats, INT64_MAX)) return std::nullopt;
    plainer.repeats.type = ElementType::i64;
  } else if (rules_of(question.definition).repeats.data_type_too) {
    constexpr std::int64_t exact_in_every_type = 100;
    for (Operand* operand : {&plainer.repeats, &*plainer.axis}) {
      if (!are_numbers(*operand, exact_in_every_type)) return std::nullopt;
      operand->type = question.data.type;
    }
  }
  if (plainer == question) return std::nullopt;
  return plainer;
}

// A tensor for each of whose axes there is a repeat.
std::optional<Case> without_promotion(const Case& question) {
  const std::size_t rank = question.data.shape.size();
  if (rules_of(question.definition).length != Length::any || !question.repeats.elements) return std::nullopt;
  const std::size_t count = question.repeats.elements->size();
  if (count == rank || question.repeats.shape.size() != 1) return std::nullopt;
  Case plainer = question;
  auto& repeats = *plainer.repeats.elements;
  Shape& data = plainer.data.shape;
  if (count < rank) repeats.insert(repeats.begin(), rank - count, "1");
  if (rank < count) data.insert(data.begin(), count - rank, 1);
  plainer.repeats.shape = {static_cast<std::int64_t>(repeats.size())};
  return plainer;
}

std::optional<Case> counted_from_the_front(const Case& question) {
  if (!question.axis || !question.axis->elements) return std::nullopt;
  const auto axis = number(question.axis->elements->front());
  const auto rank = static_cast<std::int64_t>(question.data.shape.size());
  if (!axis || *axis >= 0 || *axis < -rank) return std::nullopt;
  Case plainer = question;
  plainer.axis->elements->front() = std::to_string(*axis + rank);
  return plainer;
}

std::optional<Case> with_repeats(const Case& question, bool (*is_special)(std::string_view),
                                 const char* instead) {
  if (!question.repeats.elements) return std::nullopt;
  Case plainer = question;
  for (std::string& repeat : *plainer.repeats.elements)
    if (is_special(repeat)) repeat = instead;
  if (plainer == question) return std::nullopt;
  return plainer;
}

std::optional<Case> without_negatives(const Case& question) {
  return with_repeats(
      question, [](std::string_view it) { return spells_negative(it); }, "0");
}

std::optional<Case> without_zeros(const Case& question) {
  return with_repeats(
      question, [](std::string_view it) { return spells_zero(it); }, "2");
}

std::optional<Case> of_f32(const Case& question) {
  if (question.data.type == ElementType::f32 || question.data.elements) return std::nullopt;
  const auto count = element_count(question.data.shape);
  if (!question.placement.shape_only && (!count || *count > most_elements)) return std::nullopt;
  Case plainer = question;
  for (Operand* operand : {&plainer.repeats, plainer.axis ? &*plainer.axis : nullptr})
    if (operand != nullptr && operand->type == question.data.type &&
        rules_of(question.definition).repeats.data_type_too)
      operand->type = ElementType::f32;
  plainer.data.type = ElementType::f32;
  plainer.placement.offset = 0;
  return plainer;
}

constexpr std::array<Plainer, 8> steps{with_elements,     of_scalars,   of_usual_types,
                                       without_promotion, of_f32,       counted_from_the_front,
                                       without_negatives, without_zeros};

}  // namespace

std::span<const Plainer> plainer_steps() noexcept {
  return steps;
}

}  // namespace certile
