// The kernel: yours goes here.
#include "tile.hpp"

#include <algorithm>

void prepare() {}

void tile(const Tiling& call, const std::byte* data, std::byte* out) {
  std::vector<std::byte> tiled(data, data + call.data_size);
  std::size_t block = call.element_size;  // the bytes of one index of the axis, tiled along the later axes
  for (std::size_t axis = call.shape.size(); axis-- > 0;) {
    block *= static_cast<std::size_t>(call.shape[axis]);
    const auto copies = static_cast<std::size_t>(call.repeats[axis]);
    std::vector<std::byte> next;
    next.reserve(tiled.size() * copies);
    for (auto from = tiled.begin(); from != tiled.end(); from += static_cast<std::ptrdiff_t>(block))
      for (std::size_t copy = 0; copy < copies; ++copy)
        next.insert(next.end(), from, from + static_cast<std::ptrdiff_t>(block));
    tiled.swap(next);
    block *= copies;
  }
  std::copy(tiled.begin(), tiled.end(), out);
}
