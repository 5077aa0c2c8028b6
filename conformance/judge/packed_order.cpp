#include "conformance/judge/packed_order.hpp"

#include "reference/oracle/tile.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/packed.hpp"

namespace certile::conformance {
namespace {

// Returns the place in the opposite order of element `index` of the published one.
std::int64_t opposite(std::int64_t index, std::int64_t in_a_byte) {
  return index / in_a_byte * in_a_byte + (in_a_byte - 1 - index % in_a_byte);
}

std::int64_t opposite(const Tensor& tensor, std::int64_t index) {
  return opposite(index, 8 / bits(tensor.type()));
}

std::uint8_t read_opposite(const Tensor& tensor, std::int64_t index) {
  return packed_element(tensor.type(), tensor.bytes(), static_cast<std::size_t>(opposite(tensor, index)));
}

// Compares the elements; elements of the opposite order after the published one's last are padding bits,
// which it leaves zero.
bool is_same(const Tensor& tiled, const Tensor& seen) {
  for (std::int64_t index = 0; index < tiled.count(); ++index) {
    const bool counts = opposite(seen, index) < seen.count();
    if (!counts && seen.element(index).low != 0) return false;
    if (counts && tiled.element(index).low != read_opposite(seen, index)) return false;
  }
  return true;
}

}  // namespace

bool is_right_in_the_opposite_order(const Case& question, const Tensor& seen) {
  if (!is_packed(seen.type()) || 8 % bits(seen.type()) != 0) return false;
  for (int thread = 0; thread < question.placement.threads; ++thread) {
    const Tensor published = data_of(question, thread);
    Tensor data = published;
    for (std::int64_t index = 0; index < published.count(); ++index)
      data.set_element(index, {read_opposite(published, index), 0});
    const auto tiled = oracle::tile(question, data);
    if (!tiled || tiled->shape() != seen.shape()) return false;
    if (is_same(*tiled, seen)) return true;
  }
  return false;
}

}  // namespace certile::conformance
