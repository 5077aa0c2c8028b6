#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"

namespace certile::conformance {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t power(int exponent) {
  return std::int64_t{1} << exponent;
}

// The limits of counters of 8, 16, 32 and 64 bits, and the root of the last one.
constexpr std::array<std::int64_t, 25> edges{
    1,
    2,
    3,
    127,
    255,
    256,
    32767,
    65535,
    65536,
    65537,
    power(31) - 1,
    power(31),
    power(31) + 1,
    power(32) - 1,
    power(32),
    power(32) + 1,
    3037000499,
    3037000500,
    power(33),
    power(61),
    power(62) - 1,
    power(62),
    power(62) + 1,
    largest - 1,
    largest,
};

// Returns repeats r for which dimension * r, counted in `width` bits, is a small number: 3 *
// 6148914691236517206 is 2^64 + 2.
std::vector<std::int64_t> wrapping_repeats(std::int64_t dimension, int width) {
  std::vector<std::int64_t> found;
  // 2^width + s = dimension * r, by the quotient and remainder of 2^width - 1
  const std::uint64_t all_ones = ~std::uint64_t{0} >> (64 - width);
  const auto divisor = static_cast<std::uint64_t>(dimension);
  const std::uint64_t repeats = all_ones / divisor + 1;
  if (repeats <= static_cast<std::uint64_t>(largest)) found.push_back(static_cast<std::int64_t>(repeats));
  if (repeats < static_cast<std::uint64_t>(largest)) found.push_back(static_cast<std::int64_t>(repeats) + 1);
  return found;
}

// Returns a type of one byte per element at most, if one is claimed, because the data's size must be
// representable.
ElementType narrow_type(const Scope& scope) {
  for (const ElementType type : scope.types())
    if (bits(type) <= 8) return type;
  return scope.types().front();
}

void ask(Sink& sink, ElementType type, Shape shape, Shape repeats) {
  const auto count = element_count(shape);
  if (!count || (*count > largest / 16 && bits(type) > 8)) return;
  sink.add(Draft{.type = type,
                 .shape = std::move(shape),
                 .repeats = std::move(repeats),
                 .placement = {.shape_only = true}});
}

// Asks for the product with all factors as repeats, in both orders, or as dimensions if these may be data.
void ask_whole(Sink& sink, const Shape& product) {
  const ElementType narrow = narrow_type(sink.scope());
  const Shape ones(product.size(), 1);
  ask(sink, narrow, ones, product);
  ask(sink, sink.scope().types().back(), ones, product);
  if (element_count(product)) ask(sink, narrow, product, ones);
  ask(sink, narrow, ones, {product.rbegin(), product.rend()});
}

// Asks for the product with some factors as dimensions and the others as repeats: the data gets axes, or the
// repeats do.
void ask_divided(Sink& sink, const Shape& product) {
  const ElementType type = narrow_type(sink.scope());
  ask(sink, type, {1}, product);
  ask(sink, type, {}, product);
  for (std::size_t given = 1; given < product.size(); ++given) {
    const auto middle = product.begin() + static_cast<std::ptrdiff_t>(given);
    const Shape ones(given, 1), front(product.begin(), middle), back(middle, product.end());
    Shape repeats = back;
    repeats.insert(repeats.end(), ones.begin(), ones.end());
    ask(sink, type, front, repeats);
    Shape dimensions = front;
    dimensions.resize(product.size(), 1);
    ask(sink, type, dimensions, back);
  }
}

// Adds tiles of 2^63, which the largest i64 becomes as a real number, and the number before it.
void add_real_tiles_about_the_largest(Sink& sink) {
  const Scope& scope = sink.scope();
  if (!has_axis(scope.definition())) return;  // no others are real
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    if (!contains(scope.types(), type) || !contains(scope.repeats_types(), type)) continue;
    for (const char* tiles :
         {"9223372036854775808", type == ElementType::f32 ? "0x5effffff" : "0x43dfffffffffffff"})
      for (const Shape& shape : {Shape{1}, Shape{1, 0}}) {
        Case question = spelled_case(scope.definition(), type, shape, type, {tiles});
        question.placement.shape_only = true;
        sink.add(question);
      }
  }
}

}  // namespace

void add_overflowing_products(Sink& sink) {
  sink.begin(Generator::overflows);
  // Every dimension fits, but the product does not, or barely.
  const std::vector<Shape> products{
      {power(31), power(32)},
      {power(31) - 1, power(32)},
      {power(32), power(32)},
      {power(16), power(16)},
      {power(16), power(15)},
      {65537, 65536},
      {power(62), 2},
      {power(62) - 1, 2},
      {largest, 1},
      {largest, 2},
      {3037000500, 3037000500},
      {3037000499, 3037000499},
      {power(21), power(21), power(21)},
      {power(21) - 1, power(21), power(21)},
      {power(22), power(21), power(21)},
      {power(43), power(43), power(42)},  // 2^128, which two words do not hold
      {power(62), power(62), power(62)},
      {7, 7, 73, 127, 337, 92737, 649657},  // 2^63 - 1 itself
      {49, 73, 127, 337, 92737, 649657, 2},
  };
  for (const Shape& product : products) {
    ask_whole(sink, product);
    ask_divided(sink, product);
  }
}

void add_overflows(Sink& sink) {
  sink.begin(Generator::overflows);
  const Scope& scope = sink.scope();
  const ElementType narrow = narrow_type(scope);
  const ElementType wide = scope.types().back();
  for (const std::int64_t dimension : edges)
    for (const std::int64_t repeat : edges)
      ask(sink, narrow, {dimension}, {repeat});

  for (const std::int64_t dimension : {3, 5, 6, 7, 9, 10, 11, 12, 255, 257, 641, 65535, 65537})
    for (const int width : {16, 31, 32, 33, 63, 64})
      for (const std::int64_t repeat : wrapping_repeats(dimension, width)) {
        ask(sink, narrow, {dimension}, {repeat});
        ask(sink, wide, {dimension}, {repeat});
        ask(sink, narrow, {dimension, 1}, {repeat, 3});
        ask(sink, narrow, {2, dimension}, {1, repeat});
      }

  add_overflowing_products(sink);

  for (const Shape& product : {Shape{largest, 3, 0}, Shape{largest, largest, 0}, Shape{0, largest, largest}})
    ask_whole(sink, product);

  // A negative repeat counts as zero, or is refused, next to repeats whose product does not fit.
  for (const Shape& repeats : {Shape{power(62), power(62), -1}, Shape{-1, power(62), power(62)},
                               Shape{power(62), -1, power(62)}, Shape{power(62), power(62), 0}})
    if (!has_axis(scope.definition())) ask(sink, narrow, {1, 1, 1}, repeats);

  add_real_tiles_about_the_largest(sink);

  // It is the number of elements that has to be below 2^63, not that of bits or of bytes.
  for (const auto& types : scope.widths())
    for (const std::int64_t repeat : {power(58), power(59), power(60), power(61), power(62), largest})
      ask(sink, types.front(), {1}, {repeat});

  // A product with a zero is zero, however large the other factors; but a dimension that does not fit is
  // refused even next to a zero.
  for (const std::int64_t repeat : {std::int64_t{0}, std::int64_t{1}, power(32), largest}) {
    ask(sink, narrow, {0}, {repeat});
    ask(sink, narrow, {0, 3}, {repeat, 1});
    ask(sink, narrow, {0, 3}, {1, repeat});
    ask(sink, narrow, {3, 0}, {repeat, 2});
    ask(sink, narrow, {largest, 0}, {repeat, 1});
    ask(sink, narrow, {1, 1}, {0, repeat});
    ask(sink, narrow, {2, 1}, {repeat, 0});
  }
  // The same where the dimension wraps to a small number.
  for (const std::int64_t repeat : wrapping_repeats(3, 64)) {
    ask(sink, narrow, {2, 3}, {0, repeat});
    ask(sink, narrow, {3, 2}, {repeat, 0});
    ask(sink, narrow, {0, 3}, {2, repeat});
  }

  if (!scope.in_text_for_repeats(ElementType::u64)) return;
  for (const char* repeat : {"9223372036854775807", "9223372036854775808", "12297829382473034411",
                             "18446744073709551614", "18446744073709551615"})
    for (const Shape& shape : {Shape{1}, Shape{2}, Shape{3}, Shape{0}, Shape{0, 3}, Shape{3, 0}, Shape{}}) {
      Case question = spelled_case(scope.definition(), narrow, shape, ElementType::u64, {repeat});
      question.placement.shape_only = true;
      if (std::find(scope.repeats_types().begin(), scope.repeats_types().end(), ElementType::u64) !=
          scope.repeats_types().end())
        sink.add(question);
    }
}

void add_answer_beyond_memory(Sink& sink) {
  sink.begin(Generator::overflows);
  constexpr std::int64_t repeat = 1431655766, much = std::int64_t{1} << 17;  // 3 * 1431655766 is 2^32 + 2
  const bool is_along_one = has_axis(sink.scope().definition());
  sink.add(Draft{.type = narrow_type(sink.scope()),
                 .shape = {3, is_along_one ? much : 1},
                 .repeats = {repeat, is_along_one ? 1 : much}});
}

}  // namespace certile::conformance
