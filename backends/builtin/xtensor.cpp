// xtensor's tile moves every element; this file only chooses the shapes it is asked to move.
//
// Written against the C header and built as C++17, because xtensor 0.24.3 does not compile as C++20 with g++
// 12.  xt::tile needs as many repeats as axes and throws on a zero repeat; fused axes (fused_axes.hpp) avoid
// both.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xtensor_config.hpp>

#include "backends/plugin/certile_plugin.h"
#include "backends/shape/fused_axes.hpp"
#include "backends/shape/shape_rules.hpp"

namespace certile {
namespace {

std::int32_t say(certile_text* why, std::int32_t status, const char* text) {
  std::snprintf(why->utf8, why->capacity, "%s", text);
  return status;
}

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

std::int32_t infer(void*, const certile_call* call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t* rank, certile_text* why) {
  try {
    const AppliedRules ruling = apply_shape_rules(*call);
    if (ruling.status != CERTILE_OK) return say(why, ruling.status, ruling.why);
    if (call->data->element_bits % 8 != 0)
      return say(why, CERTILE_UNSUPPORTED, "xtensor does not move packed elements");
    if (ruling.axes.size() > static_cast<std::size_t>(capacity))
      return say(why, CERTILE_FAILED, "too many axes");
    *rank = static_cast<std::int32_t>(ruling.axes.size());
    std::transform(ruling.axes.begin(), ruling.axes.end(), shape,
                   [](const Axis& axis) { return axis.output; });
    return CERTILE_OK;
  } catch (const std::exception& error) {
    return say(why, CERTILE_FAILED, error.what());
  }
}

std::int32_t run(void*, const certile_call* call, certile_tensor* out, certile_text* why) {
  try {
    const AppliedRules ruling = apply_shape_rules(*call);
    if (ruling.status != CERTILE_OK) return say(why, ruling.status, ruling.why);
    const std::uint32_t width = call->data->element_bits;
    if (width % 8 != 0) return say(why, CERTILE_UNSUPPORTED, "xtensor does not move packed elements");
    if (!std::equal(ruling.axes.begin(), ruling.axes.end(), out->shape, out->shape + out->rank,
                    [](const Axis& axis, std::int64_t dimension) { return axis.output == dimension; }))
      return say(why, CERTILE_FAILED, "the output given does not have the inferred shape");
    if (is_empty(ruling.axes.data(), ruling.axes.size())) return CERTILE_OK;
    const std::vector<FusedAxis> fused =
        fused_axes(ruling.axes.data(), ruling.axes.size(), width == 128 ? 2 : 1);
    switch (width) {
      case 8:
        tile<std::uint8_t>(fused, call->data->data, out->data);
        break;
      case 16:
        tile<std::uint16_t>(fused, call->data->data, out->data);
        break;
      case 32:
        tile<std::uint32_t>(fused, call->data->data, out->data);
        break;
      default:
        tile<std::uint64_t>(fused, call->data->data, out->data);
        break;
    }
    return CERTILE_OK;
  } catch (const std::bad_alloc&) {
    return say(why, CERTILE_NO_MEMORY, "no memory for an intermediate tensor");
  } catch (const std::exception& error) {
    return say(why, CERTILE_FAILED, error.what());
  }
}

void destroy(void*) {}

}  // namespace
}  // namespace certile

// Not called certile_plugin_open, because it is linked into the program, which may hold several such
// backends.
extern "C" std::int32_t certile_open_xtensor(std::uint32_t, std::uint32_t, certile_plugin* plugin) {
  plugin->struct_size = sizeof *plugin;
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = "xtensor";
  static const std::string version = std::to_string(XTENSOR_VERSION_MAJOR) + "." +
                                     std::to_string(XTENSOR_VERSION_MINOR) + "." +
                                     std::to_string(XTENSOR_VERSION_PATCH);
  plugin->version = version.c_str();
  plugin->operators = certile::names_of_definitions();
  plugin->types =
      "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2 f8e8m0 c64 c128 string";
  plugin->repeats_types = "i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 f16 f32 f64";
  plugin->infer = certile::infer;
  plugin->run = certile::run;
  plugin->destroy = certile::destroy;
  return CERTILE_OK;
}
