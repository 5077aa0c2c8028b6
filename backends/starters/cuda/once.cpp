// Calls the kernel for some shapes, without certile: compute-sanitizer build/once
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include "tile.hpp"

int main() {
  try {
    prepare();
    const std::vector<std::vector<std::int64_t>> shapes{{1}, {1031}, {7, 9}, {2, 3, 5, 1}},
        repeats{{257}, {3}, {3, 2}, {1, 4, 2, 9}};
    for (const std::size_t element : {1, 2, 4, 8, 16})
      for (std::size_t number = 0; number < shapes.size(); ++number) {
        Tiling call{shapes[number], repeats[number], element, element, element};
        for (const std::int64_t length : call.shape)
          call.data_size *= static_cast<std::size_t>(length);
        call.out_size = call.data_size;
        for (const std::int64_t copies : call.repeats)
          call.out_size *= static_cast<std::size_t>(copies);
        const std::vector<std::byte> data(call.data_size);
        std::vector<std::byte> out(call.out_size);
        tile(call, data.data(), out.data());
      }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
