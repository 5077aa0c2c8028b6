// xtensor's tile as an ordinary user would call it, without corrections.  C++17: see docs/adding-a-backend.md
// on flags.
#include <complex>
#include <cstdint>
#include <exception>

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xtensor_config.hpp>

#include "raw.hpp"

namespace {

template <class Number>
std::int32_t tile(const raw::Shapes& shapes, const certile_tensor& data, const certile_tensor& out) {
  const std::vector<std::size_t> dimensions(shapes.dimensions.begin(), shapes.dimensions.end());
  const std::vector<std::size_t> repeats(shapes.repeats.begin(), shapes.repeats.end());
  const std::size_t count = data.byte_size / sizeof(Number);
  const auto input = xt::adapt(static_cast<const Number*>(data.data), count, xt::no_ownership(), dimensions);
  const auto tiled = xt::tile(input, repeats);
  auto output = xt::adapt(static_cast<Number*>(out.data), out.byte_size / sizeof(Number), xt::no_ownership(),
                          tiled.shape());
  xt::noalias(output) = tiled;
  return CERTILE_OK;
}

std::int32_t run(void*, const certile_call* call, certile_tensor* out, certile_text* why) {
  try {
    std::int64_t shape[64];
    std::int32_t rank = 0;
    const std::int32_t refused = raw::infer(nullptr, call, shape, 64, &rank, why);
    if (refused != CERTILE_OK) return refused;
    raw::Shapes shapes;
    raw::read_shapes(*call, shapes, why);
    switch (call->data->element_bits) {
      case 8:
        return tile<std::uint8_t>(shapes, *call->data, *out);
      case 16:
        return tile<std::uint16_t>(shapes, *call->data, *out);
      case 32:
        return tile<std::uint32_t>(shapes, *call->data, *out);
      case 64:
        return tile<std::uint64_t>(shapes, *call->data, *out);
      default:
        return tile<std::complex<double>>(shapes, *call->data, *out);
    }
  } catch (const std::exception& error) {
    return raw::say(why, CERTILE_FAILED, error.what());
  }
}

}  // namespace

__attribute__((visibility("default"))) std::int32_t certile_plugin_open(std::uint32_t, std::uint32_t,
                                                                        certile_plugin* plugin) {
  raw::fill(plugin, "xtensor-raw", {XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR, XTENSOR_VERSION_PATCH});
  plugin->run = run;
  return CERTILE_OK;
}
