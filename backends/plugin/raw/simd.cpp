// The byte kernel as a shared library, to measure the cost of a call through the C table, without certile
// around it.
#include <algorithm>
#include <cstdio>
#include <new>
#include <vector>

#include "backends/kernel/tile_elements.hpp"
#include "backends/plugin/certile_plugin.h"
#include "backends/shape/shape_rules.hpp"

namespace certile {
namespace {

std::int32_t say(certile_text* why, std::int32_t status, const char* text) noexcept {
  std::snprintf(why->utf8, why->capacity, "%s", text);
  return status;
}

std::int32_t infer(void*, const certile_call* call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t* rank, certile_text* why) {
  try {
    const AppliedRules ruling = apply_shape_rules(*call);
    if (ruling.status != CERTILE_OK) return say(why, ruling.status, ruling.why);
    if (ruling.axes.size() > static_cast<std::size_t>(capacity))
      return say(why, CERTILE_FAILED, "the output has more axes than the caller has room for");
    *rank = static_cast<std::int32_t>(ruling.axes.size());
    std::transform(ruling.axes.begin(), ruling.axes.end(), shape,
                   [](const Axis& axis) { return axis.output; });
    return CERTILE_OK;
  } catch (const std::bad_alloc&) {
    return say(why, CERTILE_NO_MEMORY, "no memory for the axes");
  }
}

// `axes` has room for those of the output.
std::int32_t run_on(Axis* axes, const ByteKernel& kernel, const certile_call& call, const certile_tensor& out,
                    certile_text* why) noexcept {
  const RuledAxes ruled = apply_shape_rules(call, axes);
  if (ruled.status != CERTILE_OK) return say(why, ruled.status, ruled.why);
  if (!std::equal(axes, axes + ruled.count, out.shape, out.shape + out.rank,
                  [](const Axis& axis, std::int64_t dimension) { return axis.output == dimension; }))
    return say(why, CERTILE_FAILED, "the output given does not have the inferred shape");
  if (ruled.elements == 0) return CERTILE_OK;
  const certile_tensor& data = *call.data;
  tile_elements(kernel, {axes, ruled.count}, data.element_bits, data.element_type == CERTILE_U1,
                static_cast<const std::byte*>(data.data), static_cast<std::byte*>(out.data));
  return CERTILE_OK;
}

std::int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const auto& kernel = *static_cast<const ByteKernel*>(self);
  constexpr std::size_t usual = 16;
  const std::size_t most = most_axes(*call);
  if (most <= usual) {
    Axis axes[usual];
    return run_on(axes, kernel, *call, *out, why);
  }
  try {
    return run_on(std::vector<Axis>(most).data(), kernel, *call, *out, why);
  } catch (const std::bad_alloc&) {
    return say(why, CERTILE_NO_MEMORY, "no memory for the axes");
  }
}

void destroy(void*) {}

}  // namespace
}  // namespace certile

extern "C" __attribute__((visibility("default"))) std::int32_t certile_plugin_open(std::uint32_t,
                                                                                   std::uint32_t,
                                                                                   certile_plugin* plugin) {
  const certile::ByteKernel* const kernel = certile::best_byte_kernel();
  if (kernel == nullptr) return CERTILE_UNSUPPORTED;
  plugin->struct_size = sizeof *plugin;
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = "simd-plugin";
  plugin->version = "1";
  plugin->operators = certile::names_of_definitions();
  plugin->types =
      "boolean i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 f16 bf16 f32 f64 nf4 f8e4m3 f8e5m2 f8e8m0 "
      "f4e2m1 "
      "c64 c128 string";
  plugin->repeats_types = "i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 f16 f32 f64";
  // The table's pointer is not const, but nothing writes through it.
  plugin->self = const_cast<certile::ByteKernel*>(kernel);
  plugin->infer = certile::infer;
  plugin->run = certile::run;
  plugin->destroy = certile::destroy;
  return CERTILE_OK;
}
