#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "reference/oracle/definition.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

using Texts = std::vector<std::string>;

Tensor operand(ElementType type, Shape shape, const Texts& elements) {
  return tensor_spelled(type, std::move(shape), elements);
}

// Returns repeats that are no vector, for a shape of two dimensions.
std::vector<Tensor> misshapen_repeats() {
  using enum ElementType;
  return {
      operand(i64, {}, {"2"}),          operand(i64, {1, 2}, {"3", "2"}),
      operand(i64, {2, 1}, {"3", "2"}), operand(i64, {2, 2}, {"1", "2", "3", "5"}),
      operand(i64, {1, 1}, {"3"}),      operand(i64, {1, 1, 2}, {"3", "2"}),
      operand(i64, {0, 2}, {}),         operand(i64, {2, 0}, {}),
  };
}

// Returns vectors that some definitions refuse because of their length or sign, and others accept.
std::vector<Tensor> doubtful_repeats() {
  std::vector<Tensor> all;
  for (const Texts& elements : std::vector<Texts>{{},
                                                  {"2"},
                                                  {"2", "3", "5"},
                                                  {"1", "1", "1"},
                                                  {"2", "3", "5", "7"},
                                                  {"-1", "2"},
                                                  {"2", "-1"},
                                                  {"-1", "-1"},
                                                  {"-2", "-3"},
                                                  {"0", "-1"},
                                                  {"-1", "0"},
                                                  {"-9223372036854775808", "2"},
                                                  {"2", "-4294967295"}}) {
    const auto length = static_cast<std::int64_t>(elements.size());
    all.push_back(operand(ElementType::i64, {length}, elements));
  }
  return all;
}

// Adds tiles and axes that onnx-tile-1 refuses, in i64 and in the data's type.
void add_refused_tiles(Sink& sink, ElementType type, Case question) {
  const auto ask = [&](const Tensor& tiles, const Tensor& axis) {
    question.repeats = tiles;
    question.axis = axis;
    sink.add(question);
  };
  std::vector<ElementType> spellings;
  for (const ElementType spelling : sink.scope().repeats_types())
    if (spelling == type || !is_real(spelling)) spellings.push_back(spelling);
  for (const ElementType spelling : spellings) {
    const Tensor good_tiles = operand(spelling, {}, {"3"});
    const Tensor good_axis = operand(spelling, {}, {"1"});
    for (const char* axis : {"2", "-3", "3", "-4", "100", "-100"})
      ask(good_tiles, operand(spelling, {}, {axis}));
    for (const char* tiles : {"-1", "-2", "-100"})
      ask(operand(spelling, {}, {tiles}), good_axis);
    for (const Shape& shape : {Shape{2}, Shape{1, 2}, Shape{2, 1}}) {
      ask(operand(spelling, shape, {"3", "3"}), good_axis);
      ask(good_tiles, operand(spelling, shape, {"1", "1"}));
    }
    ask(operand(spelling, {0}, {}), good_axis);
    ask(good_tiles, operand(spelling, {0}, {}));
    if (!is_real(spelling)) continue;
    // A number beyond 2^52, which conversions treat apart.
    const int width = bits(spelling);
    const char* large = width == 16 ? "60000" : width == 32 ? "1e30" : "1e300";
    for (const std::string& axis : {std::string(large), "-" + std::string(large)})
      ask(good_tiles, operand(spelling, {}, {axis}));
    for (const char* odd : {"0.5", "1.5", "-0.5", "-1.5"}) {
      ask(operand(spelling, {}, {odd}), good_axis);
      ask(good_tiles, operand(spelling, {}, {odd}));
    }
  }
}

}  // namespace

void add_refusals_of_high_ranks(Sink& sink, const std::vector<std::size_t>& ranks) {
  sink.begin(Generator::refusals_of_high_ranks);
  const Scope& scope = sink.scope();
  if (has_axis(scope.definition())) return;  // it has only one number
  const ElementType type = scope.types().front();
  for (const std::size_t rank : ranks) {
    const Shape ones(rank, 1);
    Texts repeats(rank, "1");
    repeats.back() = "-1";
    sink.add(spelled_case(scope.definition(), type, ones, ElementType::i64, repeats));
    // Data of fewer axes: some definitions promote it, and must find the sign after all the ones.
    sink.add(spelled_case(scope.definition(), type, {2}, ElementType::i64, repeats));
    // Too many elements because of the first two axes, and because of the last two.
    for (const std::size_t first : {std::size_t{0}, rank - 2}) {
      Texts many(rank, "1");
      many[first] = many[first + 1] = "4294967296";
      Case question = spelled_case(scope.definition(), type, ones, ElementType::i64, many);
      question.placement.shape_only = true;
      sink.add(question);
      // A run has little room for a message, which may speak of every axis; no runtime has memory for one of
      // these repeats.
      many[first] = many[first + 1] = "4611686018427387904";
      sink.add(spelled_case(scope.definition(), type, ones, ElementType::i64, many));
    }
    // No elements, and more digits than a message has room for: of the data, where only the shape is asked,
    // because NumPy and others have no such array; and of the repeats.
    if (rank < 12) continue;
    Shape long_shape(rank, std::int64_t{1} << 62);
    long_shape.front() = 0;
    Texts twice(rank, "1");
    twice[1] = "2";
    Case question = spelled_case(scope.definition(), type, long_shape, ElementType::i64, twice);
    question.placement.shape_only = true;
    sink.add(question);
    Shape pairs(rank, 1);
    pairs[0] = 0;
    pairs[1] = 2;
    sink.add(
        spelled_case(scope.definition(), type, pairs, ElementType::i64, Texts(rank, "4611686018427387904")));
  }
}

void add_refusals(Sink& sink) {
  sink.begin(Generator::refusals);
  using Guard = Placement::Guard;
  const Scope& scope = sink.scope();
  const Guard guards[]{Guard::none, Guard::before, Guard::after};
  std::uint64_t number = 0;
  for (const auto& types : scope.widths()) {
    // [CT-REFUSE] a refusal must not depend on the data, nor write anything: full, empty and scalar data,
    // pages on either side.
    for (const Shape& shape : {Shape{2, 3}, Shape{5, 1}, Shape{0, 3}, Shape{3, 0}}) {
      ++number;
      Case question =
          spelled_case(scope.definition(), types[number % types.size()], shape, ElementType::i64, {});
      question.placement.guard = guards[number % 3];
      if (has_axis(scope.definition())) {
        add_refused_tiles(sink, question.data.type(), question);
        continue;
      }
      for (const auto& all : {misshapen_repeats(), doubtful_repeats()})
        for (const Tensor& repeats : all) {
          question.repeats = repeats;
          sink.add(question);
        }
    }
    // Digits that a message has no room for, although there is no element; in no array are more than 2^63
    // bytes.
    const Shape long_shape{0, std::int64_t{1} << 58};
    const Texts huge(has_axis(scope.definition()) ? 1 : 2, "4611686018427387904");
    sink.add(spelled_case(scope.definition(), types.front(), long_shape, ElementType::i64, huge));
    // More repeats than a byte counts, as many as axes but for that.
    if (oracle::rules_of(scope.definition()).length == oracle::Length::as_rank &&
        !has_axis(scope.definition()))
      sink.add(spelled_case(scope.definition(), types.front(), {2, 3}, ElementType::i64, Texts(258, "1")));
    // If lengths must agree, a scalar has no repeat; and it has no axis.
    for (const char* repeat : {"2", "1", "0", "-1"})
      sink.add(spelled_case(scope.definition(), types.front(), {}, ElementType::i64, {repeat}));
  }
}

namespace {

// Adds one plain case for each type that is not claimed, or that the definition refuses: [CT-CLAIM].  If the
// type is claimed for another definition, a refusal is expected, and two more cases examine the state after
// it.
void add_other_types(Sink& sink) {
  const Scope& scope = sink.scope();
  const ElementType repeats_type = scope.repeats_types().front();
  for (const ElementType type : all_element_types()) {
    if (contains(scope.types(), type)) continue;
    const bool tied = oracle::rules_of(scope.definition()).repeats.data_type_too || is_real(repeats_type);
    Case question =
        spelled_case(scope.definition(), type, {3}, tied ? ElementType::i64 : repeats_type, {"2"});
    sink.add_beyond(question);
    if (scope.in_text(type) || !scope.claim().types.contains(type)) continue;
    question.placement.guard = Placement::Guard::after;
    sink.add(question);
    question.placement = {};
    question.data = question.data.reshaped({0});
    sink.add(question);
  }
}

void add_other_types_of_repeats(Sink& sink) {
  const Scope& scope = sink.scope();
  if (call_form(scope.definition()) == CallForm::repeats_attribute) return;
  for (const ElementType type : all_element_types()) {
    if (contains(scope.repeats_types(), type)) continue;
    Case question = spelled_case(scope.definition(), scope.types().front(), {3}, type, {one_spelled(type)});
    sink.add_beyond(question);
    if (!question.axis) continue;
    question.repeats = tensor_of_numbers(ElementType::i64, {}, Shape{2});
    question.axis = tensor_spelled(type, {}, std::vector{one_spelled(type)});
    question.data = question.data.reshaped({3, 5});
    sink.add_beyond(question);
  }
}

// [CT-STEADY] Adds a call that is refused after the same call of a type that is taken, for each type of data
// that the definition refuses, and each of repeats.  What is prepared for the first one may know the width of
// an element alone, or the numbers of the repeats.
void add_refused_after_taken(Sink& sink) {
  const Scope& scope = sink.scope();
  const ElementType usual = scope.repeats_types().front();
  if (is_real(usual)) return;  // it depends on the type of the data
  const std::vector<std::string> repeats(has_axis(scope.definition()) ? 1 : 2, "2");
  std::uint64_t seed = 0;
  const auto call = [&](ElementType type, ElementType repeats_type) {
    Case question = spelled_case(scope.definition(), type, {2, 3}, repeats_type, repeats);
    question.fill = {Fill::Kind::bits, ++seed};  // a case is asked once
    return question;
  };
  for (const auto& types : scope.widths())
    for (const ElementType type : all_element_types()) {
      const bool is_refused = !scope.in_text(type) && scope.claim().types.contains(type);
      if (!is_refused || bits(type) != bits(types.front())) continue;
      sink.add(call(types.front(), usual));
      sink.add_following(call(type, usual));
    }
  if (call_form(scope.definition()) == CallForm::repeats_attribute) return;
  for (const ElementType type : all_element_types()) {
    const bool is_refused = !scope.in_text_for_repeats(type) && scope.claim().repeats_types.contains(type);
    // The other types do not all have the number 2, or spell it otherwise.
    const bool is_number = (is_integer(type) && bits(type) >= 8) || (is_real(type) && bits(type) >= 16);
    if (!is_refused || !is_number) continue;
    sink.add(call(scope.types().front(), usual));
    sink.add_following(call(scope.types().front(), type));
  }
}

void add_beyond_limits(Sink& sink) {
  const Scope& scope = sink.scope();
  const Claim& claim = scope.claim();
  const ElementType type = scope.types().front();
  const auto ask = [&](Shape shape, const Shape& repeats) {
    Scope unlimited(scope.definition(), [&] {
      Claim wider = claim;
      wider.max_rank.reset();
      wider.max_elements.reset();
      wider.max_bytes.reset();
      return wider;
    }());
    for (const Case& question :
         unlimited.cases_of({.type = type, .shape = std::move(shape), .repeats = repeats}))
      sink.add_beyond(question);
  };
  if (claim.max_rank && *claim.max_rank < 64) {
    const auto rank = static_cast<std::size_t>(std::max<std::int64_t>(*claim.max_rank, 0)) + 1;
    Shape shape(rank, 1), repeats(rank, 1);
    ask(shape, repeats);
    shape.back() = 3;
    repeats.front() = 5;
    ask(shape, repeats);
    repeats.back() = 2;
    ask(shape, repeats);
  }
  // Outputs that are made only if the limit is low; a high limit is probably the machine's.
  constexpr std::int64_t affordable = 1 << 20;
  if (claim.max_elements && *claim.max_elements < affordable) {
    ask({1}, {*claim.max_elements + 1});
    ask({*claim.max_elements + 1}, {1});
  }
  if (claim.max_bytes && *claim.max_bytes < affordable) {
    const std::int64_t elements = *claim.max_bytes * 8 / bits(type) + 1;
    ask({1}, {elements});
    ask({elements}, {1});
  }
}

}  // namespace

void add_claim_boundary(Sink& sink) {
  sink.begin(Generator::claim_boundary);
  add_other_types(sink);
  add_other_types_of_repeats(sink);
  add_beyond_limits(sink);
  add_refused_after_taken(sink);
}

void add_types(Sink& sink) {
  sink.begin(Generator::types);
  // Scalars, one element, odd numbers of packed elements in rows that do not end with a byte, and rows of
  // several bytes.
  const std::vector<std::pair<Shape, Shape>> shapes{
      {{}, {}},
      {{1}, {1}},
      {{1}, {2}},
      {{2}, {1}},
      {{3}, {1}},
      {{2}, {3}},
      {{3}, {2}},
      {{2, 1}, {1, 1}},
      {{2, 1}, {1, 3}},
      {{1, 3}, {2, 1}},
      {{3, 2}, {1, 3}},
      {{3, 5}, {2, 1}},
      {{5, 3}, {1, 2}},
      {{5, 7}, {3, 2}},
      {{2, 3, 5}, {1, 6, 1}},
      {{3, 1, 7}, {1, 5, 1}},
      {{7, 11}, {3, 5}},
      {{0, 3}, {2, 1}},
      {{3}, {0}},
      {{5, 13}, {6, 3}},
      {{67}, {1}},
      {{131}, {3}},
      {{257, 3}, {1, 2}},
  };
  for (const ElementType type : sink.scope().types()) {
    std::uint64_t seed = 0;
    for (const auto& [shape, repeats] : shapes) {
      Draft draft{.type = type, .shape = shape, .repeats = repeats};
      sink.add(draft);
      draft.fill = {Fill::Kind::special, 0};
      sink.add(draft);
      draft.fill = {Fill::Kind::bits, ++seed};
      draft.variety = seed;
      sink.add(draft);
    }
    // Data that are all zero, or all −0: a kernel that takes its output for cleared, or compares numbers, is
    // wrong with nothing else.  Some blocks are long.
    const auto format = float_format(type);
    const bool has_negative_zero =
        (format && format->is_signed) || type == ElementType::c64 || type == ElementType::c128;
    for (const auto& [shape, repeats] : std::vector<std::pair<Shape, Shape>>{
             {{1}, {2}}, {{5}, {3}}, {{67}, {2}}, {{1100}, {2}}, {{2, 4100}, {1, 1}}})
      for (const std::uint64_t sign : {0U, 1U})
        if (sign == 0 || has_negative_zero)
          sink.add(Draft{.type = type, .shape = shape, .repeats = repeats, .fill = {Fill::Kind::zero, sign}});
    // Each special value alone, so that no neighbour can hide a change.
    for (std::uint64_t start = 0; start < 32; ++start) {
      Draft draft{.type = type, .shape = {1}, .repeats = {1}, .fill = {Fill::Kind::special, start}};
      sink.add(draft);
      draft.repeats = {3};
      sink.add(draft);
    }
  }
}

}  // namespace certile::conformance
