#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/spread_generators.hpp"
#include "reference/oracle/definition.hpp"

namespace certile::conformance {
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

void add_products(Spread& spread, std::int64_t most) {
  spread.begin(Generator::products);
  // One number of 16 bits costs little where elements are bytes.
  constexpr int sixteen = 16;
  if (most < std::int64_t{1} << sixteen)
    for (const ProductForm& form : forms_beyond(std::int64_t{1} << sixteen))
      spread.add(8, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(1)});
  std::uint64_t number = 0;
  for (const int power : {8, 12, 15, 16, 17, 18, 20, 22, 24}) {
    const std::int64_t product = std::int64_t{1} << power;
    if (product > most) break;
    for (const ProductForm& form : forms_beyond(product)) {
      // A large product is asked of few types, and of one at least: what counts is a number of elements or
      // bytes.
      const std::size_t every = power <= 12 ? 1 : power <= 16 ? 2 : power <= 18 ? 4 : 8;
      const std::vector<int> widths = affordable(spread.widths(), form, power);
      for (std::size_t turn = number % every % std::max<std::size_t>(widths.size(), 1); turn < widths.size();
           turn += every)
        spread.add(widths[turn],
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
void add_divided_rows(Spread& spread, std::int64_t copies) {
  constexpr std::int64_t step = 16;  // kernels give threads whole vectors
  std::int64_t rows = 4096;
  do
    rows += step;
  while (!loses_multiple(rows, copies * 3 / 4) && !loses_multiple(rows, copies / 2));
  spread.add(8, {.shape = {rows, 2}, .repeats = {copies, 3}, .fill = revealing_fill(1)});
}

// Adds four and five axes of two elements and copies, of which one has 256 of either: a byte holds one less.
void add_full_bytes(Spread& spread) {
  for (const std::size_t axes : {4U, 5U})
    for (std::size_t axis = 0; axis < axes; ++axis)
      for (const bool repeats : {false, true}) {
        Draft draft{.shape = Shape(axes, 2), .repeats = Shape(axes, 2), .fill = revealing_fill(axis)};
        (repeats ? draft.repeats : draft.shape)[axis] = 256;
        spread.add(8, draft);
      }
}

}  // namespace

void add_long_middles(Spread& spread, Lengths lengths) {
  spread.begin(Generator::long_middles);
  std::uint64_t number = 0;
  add_full_bytes(spread);
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
      for (const int width : spread.widths())
        if (width <= 64 && ((!is_sampled && mix(++number) % 4 == 0) || width == 8))
          spread.add(width, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(number)});
  }
  if (is_sampled) {
    add_divided_rows(spread, 40);
    return;
  }
  // Numbers of rows and of copies that a float rounds, or whose logarithm it rounds.
  for (const int power : {17, 19, 21, 22, 24}) {
    const std::int64_t length = (std::int64_t{1} << power) + 1;
    spread.add(8, {.shape = {length, 1}, .repeats = {1, 2}, .fill = revealing_fill(++number)});
    if (power <= 22) spread.add(8, {.shape = {3}, .repeats = {length}, .fill = revealing_fill(++number)});
  }
  add_divided_rows(spread, 60);
  // Packed rows of which four begin within a byte.
  for (const int width : spread.widths())
    for (const std::int64_t more : {1, 17})
      if (width < 8) {
        constexpr std::int64_t bits_of_output = std::int64_t{9} << 20;
        const std::int64_t whole = bits_of_output / (15 * width) / 32 * 32;
        spread.add(width,
                   {.shape = {whole + more, 5}, .repeats = {1, 3}, .fill = {Fill::Kind::bits, ++number}});
      }
}

}  // namespace certile::conformance
