// xtensor's tile moves every element; this file only chooses the shapes it is asked to move.
//
// Built as C++17, because xtensor 0.24.3 does not compile as C++20 with g++ 12.  xt::tile needs as many
// repeats as axes and throws on a zero repeat; fused axes (fused_axes.hpp) avoid both.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xtensor_config.hpp>

#include "backends/builtin/builtin.hpp"
#include "backends/builtin/fused_axes.hpp"

namespace certile::backends {
namespace {

template <class Number>
void tile(const std::vector<FusedAxis>& axes, const void* data, void* out) {
  std::vector<std::size_t> dimensions;
  std::vector<std::size_t> repeats;
  std::size_t count = 1;
  std::size_t output_count = 1;
  for (const FusedAxis& axis : axes) {
    dimensions.push_back(static_cast<std::size_t>(axis.dimension));
    repeats.push_back(static_cast<std::size_t>(axis.repeats));
    count *= dimensions.back();
    output_count *= dimensions.back() * repeats.back();
  }
  const auto input = xt::adapt(static_cast<const Number*>(data), count, xt::no_ownership(), dimensions);
  const auto tiled = xt::tile(input, repeats);
  auto output = xt::adapt(static_cast<Number*>(out), output_count, xt::no_ownership(), tiled.shape());
  xt::noalias(output) = tiled;
}

void move(const void*, const TilePlan& plan, const certile_tensor& data, const certile_tensor& out) {
  const std::vector<FusedAxis> fused = fused_axes(plan, std::min(data.element_bits, 64U));
  switch (data.element_bits) {
    case 8:
      return tile<std::uint8_t>(fused, data.data, out.data);
    case 16:
      return tile<std::uint16_t>(fused, data.data, out.data);
    case 32:
      return tile<std::uint32_t>(fused, data.data, out.data);
    default:
      return tile<std::uint64_t>(fused, data.data, out.data);
  }
}

}  // namespace

std::int32_t open_xtensor(certile_plugin& table) {
  return fill_table(
      table, {"xtensor",
              std::to_string(XTENSOR_VERSION_MAJOR) + "." + std::to_string(XTENSOR_VERSION_MINOR) + "." +
                  std::to_string(XTENSOR_VERSION_PATCH),
              false, move});
}

}  // namespace certile::backends
