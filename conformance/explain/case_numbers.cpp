#include "conformance/explain/case_numbers.hpp"

#include <algorithm>

#include "reference/oracle/promote.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/scalar_value.hpp"

namespace certile::conformance {
namespace {

// The places in `quantities`.
enum Index : std::size_t {
  a_repeat,
  last_repeat,
  repeat_before_last,
  repeated_axes,
  row_bytes,
  row_elements,
  data_bytes,
  data_elements,
  data_axes,
  element_bits,
  block_bytes,
  copies,
  data_rows,
  a_dimension,
  output_bytes,
  output_elements,
  output_rows,
  repeats_length,
  longest_string,
};

constexpr std::int64_t most_strings = 10'000;                   // that are made to find the longest
constexpr std::int64_t largest_factor = std::int64_t{1} << 50;  // what is larger is not multiplied further

std::int64_t product(std::int64_t one, std::int64_t other) {
  return one == 0 || other <= largest_factor / one ? one * other : largest_factor;
}

std::int64_t product(const Shape& numbers) {
  std::int64_t all = 1;
  for (const std::int64_t number : numbers)
    all = product(all, number);
  return all;
}

std::int64_t bytes_of(const Case& question, std::int64_t count) {
  return product(count, bits(question.data.type())) / 8;
}

std::int64_t rows_of(Shape shape) {
  if (!shape.empty()) shape.pop_back();
  return product(shape);
}

}  // namespace

const std::array<Quantity, quantity_count> quantities{{
    {"a repeat", "is", "", "a repeat", "", false},
    {"the repeat of the last axis", "is", "", "the repeat of the last axis", "", true},
    {"a repeat of an axis before the last", "is", "", "a repeat of an axis before the last", "", false},
    {"the number of axes that are repeated", "is", "", "the number of axes that are repeated", "", true},
    {"rows", "have", "bytes", "the size of a row", "bytes", true},
    {"rows", "have", "elements", "the number of elements of a row", "", true},
    {"the data", "have", "bytes", "the size of the data", "bytes", true},
    {"the data", "have", "elements", "the number of elements of the data", "", true},
    {"the data", "have", "axes", "the number of axes of the data", "", true},
    {"elements", "have", "bits", "the size of an element", "bits", true},
    {"a block that is copied along an axis", "has", "bytes",
     "the size of a block that is copied along an axis", "bytes", false},
    {"the number of copies", "is", "", "the number of copies", "", true},
    {"the data", "have", "rows", "the number of rows of the data", "", true},
    {"a dimension of the data", "is", "", "a dimension of the data", "", false},
    {"the output", "has", "bytes", "the size of the output", "bytes", true},
    {"the output", "has", "elements", "the number of elements of the output", "", true},
    {"the output", "has", "rows", "the number of rows of the output", "", true},
    {"the repeats", "are", "numbers", "the number of repeats", "", true},
    {"the longest string", "has", "bytes", "the size of the longest string", "bytes", true},
}};

CaseNumbers numbers_of(const Case& question) {
  CaseNumbers numbers;
  const Shape& shape = question.data.shape();
  for (const auto& number : numbers_in(question.repeats))
    if (number && !number->beyond) numbers[a_repeat].push_back(number->value);
  const std::int64_t row = shape.empty() ? 1 : shape.back(), count = product(shape);
  numbers[row_bytes] = {bytes_of(question, row)};
  numbers[row_elements] = {row};
  numbers[data_bytes] = {bytes_of(question, count)};
  numbers[data_elements] = {count};
  numbers[data_axes] = {std::ssize(shape)};
  numbers[element_bits] = {bits(question.data.type())};
  numbers[data_rows] = {rows_of(shape)};
  numbers[a_dimension] = shape;
  numbers[repeats_length] = {question.repeats.count()};
  if (question.data.type() == ElementType::string && count <= most_strings) {
    const Tensor data = data_of(question);
    std::int64_t longest = 0;
    for (std::int64_t index = 0; index < count && !data.bytes().empty(); ++index)
      longest = std::max(longest, std::ssize(data.string_element(index)));
    numbers[longest_string] = {longest};
  }
  const auto tiling = oracle::settled_tiling(question);
  if (!tiling) return numbers;
  numbers[copies] = {product(tiling->repeats)};
  numbers[repeated_axes] = {std::ranges::count_if(tiling->repeats, [](std::int64_t it) { return it > 1; })};
  if (!tiling->repeats.empty()) {
    numbers[last_repeat] = {tiling->repeats.back()};
    numbers[repeat_before_last] = {tiling->repeats.begin(), tiling->repeats.end() - 1};
  }
  const std::int64_t elements = product(tiling->output);
  numbers[output_bytes] = {bytes_of(question, elements)};
  numbers[output_elements] = {elements};
  numbers[output_rows] = {rows_of(tiling->output)};
  std::int64_t inner = 1;
  for (std::size_t axis = tiling->output.size(); axis-- > 0; inner = product(inner, tiling->output[axis]))
    if (tiling->repeats[axis] > 1)
      numbers[block_bytes].push_back(bytes_of(question, product(inner, tiling->data[axis])));
  return numbers;
}

}  // namespace certile::conformance
