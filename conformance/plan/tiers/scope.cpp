#include "conformance/plan/tiers/scope.hpp"

#include <algorithm>
#include <utility>

#include "reference/oracle/definition.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

Tensor vector_of(ElementType type, const std::vector<std::string>& elements) {
  return tensor_spelled(type, {static_cast<std::int64_t>(elements.size())}, elements);
}

Tensor vector_of(ElementType type, const Shape& values) {
  return tensor_of_numbers(type, {static_cast<std::int64_t>(values.size())}, values);
}

bool holds(ElementType type, std::int64_t value) {
  if (is_real(type)) return value >= -100 && value <= 100;  // larger numbers are spelled differently
  const int width = bits(type);
  if (is_unsigned_integer(type)) return value >= 0 && (width == 64 || value < (std::int64_t{1} << width));
  if (width == 64) return true;
  const std::int64_t half = std::int64_t{1} << (width - 1);
  return value >= -half && value < half;
}

// Gives the operand another type, if the elements are spelled the same in it.
bool respell(Tensor& operand, ElementType type) {
  if (operand.bytes().empty()) {
    operand = Tensor::without_elements(type, operand.shape());
    return true;
  }
  if (type == ElementType::string) return false;
  Tensor other(type, operand.shape());
  for (std::int64_t index = 0; index < operand.count(); ++index) {
    const std::string spelling = element_to_string(operand, index);
    const auto element = element_from_text(type, spelling);
    if (!element || element_to_text(type, *element) != spelling) return false;
    other.set_element(index, *element);
  }
  operand = std::move(other);
  return true;
}

}  // namespace

std::string one_spelled(ElementType type) {
  if (type == ElementType::string) return "\"1\"";
  if (type != ElementType::nf4 && type != ElementType::c64 && type != ElementType::c128) return "1";
  std::string pattern = "0x" + std::string(static_cast<std::size_t>(bits(type)) / 4, '0');
  pattern.back() = '1';
  return pattern;
}

Case spelled_case(DefinitionId definition, ElementType type, Shape shape, ElementType repeats_type,
                  const std::vector<std::string>& repeats) {
  Case question;
  question.definition = definition;
  question.data = Tensor::without_elements(type, std::move(shape));
  question.repeats = vector_of(repeats_type, repeats);
  if (has_axis(definition)) {
    question.repeats = question.repeats.reshaped({});
    question.axis = tensor_of_numbers(ElementType::i64, {}, Shape{0});
  }
  return question;
}

Scope::Scope(DefinitionId definition, const Claim& claim) : definition_(definition), claim_(claim) {
  if (std::find(claim.definitions.begin(), claim.definitions.end(), definition) == claim.definitions.end())
    return;
  // A definition without types for repeats needs only data types.
  const bool have_types = call_form(definition) != CallForm::repeats_attribute;
  for (const ElementType type : all_element_types())
    if ((claim.repeats_types.contains(type) || !have_types) && in_text_for_repeats(type))
      repeats_types_.push_back(type);
  // i64 first, the usual type of repeats.
  std::stable_partition(repeats_types_.begin(), repeats_types_.end(),
                        [](ElementType type) { return type == ElementType::i64; });
  for (const ElementType type : all_element_types()) {
    if (!claim.types.contains(type) || !in_text(type) || !repeats_type(type, {}, 0)) continue;
    types_.push_back(type);
    const auto same = std::find_if(widths_.begin(), widths_.end(), [&](const auto& width) {
      return bits(width.front()) == bits(type) && type != ElementType::string;
    });
    if (same == widths_.end())
      widths_.push_back({type});
    else
      same->push_back(type);
  }
}

bool Scope::in_text(ElementType type) const noexcept {
  return oracle::rules_of(definition_).data.says(type, type) == oracle::Says::allowed;
}

bool Scope::in_text_for_repeats(ElementType type) const noexcept {
  const oracle::Types& repeats = oracle::rules_of(definition_).repeats;
  const bool as_data = repeats.data_type_too && in_text(type);
  return as_data || repeats.says(type, ElementType::f32) == oracle::Says::allowed;
}

bool Scope::has_limits() const noexcept {
  return claim_.max_rank || claim_.max_elements || claim_.max_bytes;
}

std::optional<ElementType> Scope::repeats_type(ElementType data, const Shape& values,
                                               std::uint64_t variety) const {
  std::vector<ElementType> candidates;
  for (const ElementType type : repeats_types_) {
    if (is_real(type) && type != data) continue;
    if (std::all_of(values.begin(), values.end(), [&](std::int64_t value) { return holds(type, value); }))
      candidates.push_back(type);
  }
  if (candidates.empty()) return std::nullopt;
  return candidates[static_cast<std::size_t>(variety % candidates.size())];
}

bool Scope::within_limits(ElementType type, const Shape& shape, const Shape& repeats) const noexcept {
  if (!has_limits()) return true;
  const std::size_t rank = std::max(shape.size(), repeats.size());
  if (claim_.max_rank && rank > static_cast<std::size_t>(std::max<std::int64_t>(*claim_.max_rank, 0)))
    return false;
  // Precision beyond 2^53 does not matter, because no testable limit is there.
  double count = 1;
  for (const std::int64_t dimension : shape)
    count *= static_cast<double>(dimension);
  for (const std::int64_t repeat : repeats)
    count *= static_cast<double>(std::max<std::int64_t>(repeat, 0));
  if (claim_.max_elements && count > static_cast<double>(*claim_.max_elements)) return false;
  return !claim_.max_bytes || count * bits(type) / 8 <= static_cast<double>(*claim_.max_bytes);
}

bool Scope::within_limits(const Case& question) const {
  if (!has_limits()) return true;
  const auto output = oracle::output_shape(question);
  return within_limits(question.data.type(), output ? *output : question.data.shape(), {});
}

std::optional<Case> Scope::along(const Draft& draft, std::int64_t tiles, std::int64_t axis,
                                 std::uint64_t variety) const {
  const auto tiles_type = repeats_type(draft.type, {tiles}, variety);
  const auto axis_type = repeats_type(draft.type, {axis}, variety / 7);
  if (!tiles_type || !axis_type || !within_limits(draft.type, draft.shape, {tiles})) return std::nullopt;
  Case question{definition_,
                Tensor::without_elements(draft.type, draft.shape),
                tensor_of_numbers(*tiles_type, {}, Shape{tiles}),
                tensor_of_numbers(*axis_type, {}, Shape{axis}),
                draft.fill,
                draft.placement};
  return question;
}

std::vector<Case> Scope::cases_of(const Draft& draft) const {
  std::vector<Case> cases;
  const auto keep = [&](std::optional<Case> question) {
    if (question) cases.push_back(std::move(*question));
  };
  if (!has_axis(definition_)) {
    const auto type = repeats_type(draft.type, draft.repeats, draft.variety);
    if (type && within_limits(draft.type, draft.shape, draft.repeats))
      cases.push_back({definition_, Tensor::without_elements(draft.type, draft.shape),
                       vector_of(*type, draft.repeats), std::nullopt, draft.fill, draft.placement});
    return cases;
  }
  if (draft.axis) {
    keep(along(draft, draft.repeats.front(), *draft.axis, draft.variety));
    return cases;
  }
  if (draft.repeats.size() != draft.shape.size() || draft.shape.empty()) return cases;
  const bool repeated = std::any_of(draft.repeats.begin(), draft.repeats.end(),
                                    [](std::int64_t repeat) { return repeat != 1; });
  const auto rank = static_cast<std::int64_t>(draft.shape.size());
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const std::int64_t tiles = draft.repeats[static_cast<std::size_t>(axis)];
    if (repeated ? tiles == 1 : axis != 0) continue;
    const bool from_the_back = draft.variety % 5 >= 3;
    keep(along(draft, tiles, from_the_back ? axis - rank : axis, draft.variety));
  }
  return cases;
}

std::optional<Case> Scope::fitted(const Case& question) const {
  Case fit = question;
  // Types outside the text are the subject of such cases, so they are kept.
  if (in_text(fit.data.type()) && !contains(types_, fit.data.type())) {
    const ElementType type = types_.front();
    const int bytes = std::max(bits(type) / 8, 1);
    if (!respell(fit.data, type) || fit.placement.offset % bytes != 0 ||
        fit.placement.output_offset.value_or(0) % bytes != 0)
      return std::nullopt;
    // Tiles and axis follow the data's type.
    for (Tensor* operand : {&fit.repeats, fit.axis ? &*fit.axis : nullptr})
      if (operand && oracle::rules_of(definition_).repeats.data_type_too &&
          operand->type() == question.data.type() &&
          !respell(*operand, contains(repeats_types_, type) ? type : repeats_types_.front()))
        return std::nullopt;
  }
  for (Tensor* operand : {&fit.repeats, fit.axis ? &*fit.axis : nullptr})
    if (operand && in_text_for_repeats(operand->type()) && !contains(repeats_types_, operand->type()) &&
        !respell(*operand, repeats_types_.front()))
      return std::nullopt;
  if (!within_limits(fit)) return std::nullopt;
  return fit;
}

}  // namespace certile::conformance
