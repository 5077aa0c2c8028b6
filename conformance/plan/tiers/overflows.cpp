#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/kernel_cases.hpp"
#include "reference/oracle/definition.hpp"

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

namespace {

struct ProductForm {
  Shape shape, repeats;
  std::int64_t count;  // elements of the output, about
};

// Returns the least odd number whose power exceeds `product`.
std::int64_t root(std::int64_t product, int power) {
  auto least = static_cast<std::int64_t>(std::pow(static_cast<double>(product), 1.0 / power)) + 1;
  return least + 1 - least % 2;
}

// Returns tilings in which the product of two or three numbers exceeds `product`.
std::vector<ProductForm> forms_beyond(std::int64_t product) {
  const std::int64_t a = root(product, 2), b = a + 2;
  const std::int64_t c = root(product, 3), d = c + 2;
  return {
      {{1, 1}, {a, b}, product},  // copies along two axes
      {{2, 1}, {a, b}, 2 * product},
      {{1, 3}, {a, b}, 3 * product},
      {{1, 2, 1}, {c, d, c}, 2 * product},        // and along three
      {{a, b, 2}, {1, 1, 2}, 4 * product},        // rows in front of a repeated axis
      {{a, 1, b, 2}, {1, 2, 1, 2}, 8 * product},  // rows that do not lie in one piece
      {{c, d, c, 1}, {1, 1, 1, 3}, 3 * product},
      {{a, b, 1, 2}, {1, 1, 2, 1}, 4 * product},  // the two outer axes of four
      {{a, b, 2, 1}, {1, 1, 1, 2}, 4 * product},
      {{2, a, b}, {1, 2, 1}, 4 * product},  // a block behind a repeated axis
      {{2, a, b}, {2, 1, 1}, 4 * product},
      {{c, d, c}, {2, 1, 1}, 2 * product},
      {{2, a}, {1, b}, 2 * product},  // a row of the output
      {{3, a}, {2, b}, 6 * product},
      {{a, 2}, {b, 1}, 2 * product},        // the length of an axis in front
      {{2, a, 2}, {1, b, 1}, 4 * product},  // and in the middle
      {{a, 1, 2}, {1, b, 1}, 2 * product},  // copies of rows
  };
}

// Returns the widths at which the output of `form` is not too large: of the largest outputs each costs as
// much as thousands of small ones, and packed elements cost more.
std::vector<int> affordable(std::vector<int> widths, const ProductForm& form, int power) {
  std::erase_if(widths, [&form, power](int width) {
    return form.count * width > std::int64_t{1} << (width < 8 ? 22 : power < 24 ? 26 : 27);
  });
  return widths;
}

}  // namespace

void add_products(KernelCases& kernel, std::int64_t most) {
  kernel.begin(Generator::products);
  // One number of 16 bits costs little where elements are bytes.
  constexpr int sixteen = 16;
  if (most < std::int64_t{1} << sixteen)
    for (const ProductForm& form : forms_beyond(std::int64_t{1} << sixteen))
      kernel.add(8, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(1)});
  std::uint64_t number = 0;
  for (const int power : {8, 12, 15, 16, 17, 18, 20, 22, 24}) {
    const std::int64_t product = std::int64_t{1} << power;
    if (product > most) break;
    for (const ProductForm& form : forms_beyond(product)) {
      // A large product is asked of few types, and of one at least: what counts is a number of elements or
      // bytes.
      const std::size_t every = power <= 12 ? 1 : power <= 16 ? 2 : power <= 18 ? 4 : 8;
      const std::vector<int> widths = affordable(kernel.widths(), form, power);
      for (std::size_t turn = number % every % std::max<std::size_t>(widths.size(), 1); turn < widths.size();
           turn += every)
        kernel.add(widths[turn],
                   {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(number + turn)});
      ++number;
    }
  }
}

void add_promoted_products(Sink& sink) {
  sink.begin(Generator::promoted_products);
  if (oracle::rules_of(sink.scope().definition()).length != oracle::Length::any) return;
  std::uint64_t number = 0;
  for (const int power : {8, 16}) {
    const std::int64_t a = root(std::int64_t{1} << power, 2), b = a + 2;
    const std::array<ProductForm, 8> forms{{
        {{2}, {a, b}, 0},     // copies along a new axis and the data's own
        {{2}, {a, b, 1}, 0},  // along two new ones
        {{3}, {2, a, b}, 0},
        {{}, {a, b}, 0},
        {{1, 2}, {a, 1, b}, 0},
        {{a, b}, {2}, 0},  // rows in front of the only repeated axis
        {{2, a, b}, {3}, 0},
        {{a, 2, b}, {2, 1}, 0},
    }};
    const auto& widths = sink.scope().widths();
    for (const ProductForm& form : forms)
      for (const int turn : {0, 1}) {
        const auto& types = widths[(number * 5 + static_cast<std::uint64_t>(turn)) % widths.size()];
        ++number;
        if (types.front() == ElementType::string || (power == 16 && bits(types.front()) > 64)) continue;
        sink.add(Draft{.type = types[number % types.size()],
                       .shape = form.shape,
                       .repeats = form.repeats,
                       .fill = revealing_fill(number),
                       .variety = number});
      }
  }
}

namespace {

// Returns true if a multiple of this number, multiplied by its reciprocal, is less than the factor as floats.
bool loses_multiple(std::int64_t number, std::int64_t factor) {
  const float reciprocal = 1.0F / static_cast<float>(number);
  volatile const float product = static_cast<float>(number * factor) * reciprocal;
  return product < static_cast<float>(factor);
}

// Adds rows that are divided among two and four threads, each of which begins at a multiple of the data's
// rows and finds that by a float.  Half of the cases are asked where floats are rounded upwards, which hides
// the loss, so other copies of these rows belong elsewhere in a plan.
void add_divided_rows(KernelCases& kernel, std::int64_t copies) {
  constexpr std::int64_t step = 16;  // kernels give threads whole vectors
  std::int64_t rows = 4096;
  do
    rows += step;
  while (!loses_multiple(rows, copies * 3 / 4) && !loses_multiple(rows, copies / 2));
  kernel.add(8, {.shape = {rows, 2}, .repeats = {copies, 3}, .fill = revealing_fill(1)});
}

// Adds four and five axes of two elements and copies, of which one has 256 of either: a byte holds one less.
void add_full_bytes(KernelCases& kernel) {
  for (const std::size_t axes : {4U, 5U})
    for (std::size_t axis = 0; axis < axes; ++axis)
      for (const bool repeats : {false, true}) {
        Draft draft{.shape = Shape(axes, 2), .repeats = Shape(axes, 2), .fill = revealing_fill(axis)};
        (repeats ? draft.repeats : draft.shape)[axis] = 256;
        kernel.add(8, draft);
      }
}

}  // namespace

void add_long_middles(KernelCases& kernel, Lengths lengths) {
  kernel.begin(Generator::long_middles);
  std::uint64_t number = 0;
  add_full_bytes(kernel);
  const bool is_sampled = lengths == Lengths::sampled;
  for (const std::int64_t length : {65'536, 65'537, 65'793, 131'073}) {
    if (is_sampled && length > 65'537) break;
    const std::array<ProductForm, 7> forms{{
        {{length, 2}, {2, 2}, 0},
        {{2, length, 2}, {1, 2, 1}, 0},
        {{2, length, 3}, {2, 1, 1}, 0},
        {{3, length, 1}, {1, 1, 2}, 0},
        {{2, 1, 3}, {1, length, 1}, 0},
        {{2, 3, 1}, {1, length, 1}, 0},
        {{1, 2, 2}, {length, 1, 2}, 0},
    }};
    for (const ProductForm& form : forms)
      for (const int width : kernel.widths())
        if (width <= 64 && ((!is_sampled && mix(++number) % 4 == 0) || width == 8))
          kernel.add(width, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(number)});
  }
  if (is_sampled) {
    add_divided_rows(kernel, 40);
    return;
  }
  // Numbers of rows and of copies that a float rounds, or whose logarithm it rounds.
  for (const int power : {17, 19, 21, 22, 24}) {
    const std::int64_t length = (std::int64_t{1} << power) + 1;
    kernel.add(8, {.shape = {length, 1}, .repeats = {1, 2}, .fill = revealing_fill(++number)});
    if (power <= 22) kernel.add(8, {.shape = {3}, .repeats = {length}, .fill = revealing_fill(++number)});
  }
  add_divided_rows(kernel, 60);
  // Packed rows of which four begin within a byte.
  for (const int width : kernel.widths())
    for (const std::int64_t more : {1, 17})
      if (width < 8) {
        constexpr std::int64_t bits_of_output = std::int64_t{9} << 20;
        const std::int64_t whole = bits_of_output / (15 * width) / 32 * 32;
        kernel.add(width,
                   {.shape = {whole + more, 5}, .repeats = {1, 3}, .fill = {Fill::Kind::bits, ++number}});
      }
}

}  // namespace certile::conformance
