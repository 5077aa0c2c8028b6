#include "conformance/explain/wrong_elements.hpp"

#include <cstddef>
#include <utility>

namespace certile::conformance {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 24;

// Returns true if each dimension of the output is a multiple of the data's, of the same rank.
bool is_whole_copies(const Shape& output, const Shape& data) {
  if (output.size() != data.size()) return false;
  for (std::size_t axis = 0; axis < data.size(); ++axis)
    if (data[axis] == 0 || output[axis] % data[axis] != 0) return false;
  return true;
}

}  // namespace

std::string element_key(const Tensor& tensor, std::int64_t index) {
  if (tensor.type() == ElementType::string) return std::string(tensor.string_element(index));
  const Tensor::Bits there = tensor.element(index);
  std::string key;
  for (int bit = 0; bit < bits(tensor.type()); bit += 8)
    key += static_cast<char>((bit < 64 ? there.low >> bit : there.high >> (bit - 64)) & 0xff);
  return key;
}

std::optional<WrongElements> wrong_elements_of(const Tensor& expected, const Tensor& seen, const Tensor& data,
                                               std::vector<bool> unwritten) {
  Shape shape = data.shape();
  if (shape.size() < expected.shape().size())
    shape.insert(shape.begin(), expected.shape().size() - shape.size(), 1);
  const bool is_comparable = expected.type() == seen.type() && expected.shape() == seen.shape() &&
                             expected.count() > 0 && expected.count() <= most_elements;
  if (!is_comparable || !is_whole_copies(expected.shape(), shape)) return std::nullopt;
  WrongElements found{expected, seen, data.reshaped(std::move(shape)), {}, std::move(unwritten)};
  const bool is_string = expected.type() == ElementType::string;
  for (std::int64_t index = 0; index < found.count(); ++index) {
    const bool is_right = is_string ? expected.string_element(index) == seen.string_element(index)
                                    : expected.element(index) == seen.element(index);
    // An unwritten element may be right by chance.
    if (!is_right || found.is_unwritten(index)) found.wrong.push_back(index);
  }
  if (found.wrong.empty()) return std::nullopt;
  return found;
}

}  // namespace certile::conformance
