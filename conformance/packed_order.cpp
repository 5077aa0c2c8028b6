#include "conformance/packed_order.hpp"

#include "reference/call.hpp"
#include "reference/packed.hpp"
#include "reference/tile.hpp"

namespace certile {
namespace {

// Returns where the opposite order has element `index`, counted in the published one.
std::int64_t opposite(std::int64_t index, std::int64_t in_a_byte) {
  return index / in_a_byte * in_a_byte + (in_a_byte - 1 - index % in_a_byte);
}

std::uint8_t read_opposite(const Tensor& tensor, std::int64_t index) {
  const std::int64_t in_a_byte = 8 / bits(tensor.type());
  return packed_element(tensor.type(), tensor.bytes(), static_cast<std::size_t>(opposite(index, in_a_byte)));
}

// One value everywhere is right in any order, where the bits behind the data's last element are among it.
bool says_nothing(const Tensor& seen) {
  for (std::int64_t index = 1; index < seen.count(); ++index)
    if (seen.element(index).low != seen.element(0).low) return false;
  return true;
}

}  // namespace

bool is_right_in_the_opposite_order(const Case& question, const Tensor& seen) {
  if (!is_packed(seen.type()) || 8 % bits(seen.type()) != 0 || says_nothing(seen)) return false;
  for (int thread = 0; thread < question.placement.threads; ++thread) {
    CallTensors tensors = make_call(question, thread);
    const Tensor published = tensors.data;
    for (std::int64_t index = 0; index < published.count(); ++index)
      tensors.data.set_element(index, {read_opposite(published, index), 0});
    const auto tiled = tile(tensors);
    if (!tiled || tiled->shape() != seen.shape()) return false;
    bool same = true;
    for (std::int64_t index = 0; same && index < tiled->count(); ++index)
      same = tiled->element(index).low == read_opposite(seen, index);
    if (same) return true;
  }
  return false;
}

}  // namespace certile
