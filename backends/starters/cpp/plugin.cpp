// The table that certile calls: the claim, the rules and the refusals of onnx-tile-13, around the kernel of
// tile.hpp.
#include "certile_plugin.h"

#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>

#include "tile.hpp"

namespace {

constexpr std::int32_t most_axes = 64;

// The operator refuses the call.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The call is beyond the claim.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Calls `work`, and makes a status of each exception, because none may leave a function of the table.
template <class Work>
std::int32_t guarded(certile_text* why, Work work) noexcept {
  const auto say = [why](std::int32_t status, const char* sentence) {
    std::snprintf(why->utf8, why->capacity, "%s", sentence);
    return status;
  };
  try {
    work();
    return CERTILE_OK;
  } catch (const Rejected& refusal) {
    return say(CERTILE_REJECTED, refusal.what());
  } catch (const Unsupported& limit) {
    return say(CERTILE_UNSUPPORTED, limit.what());
  } catch (const std::bad_alloc&) {
    return say(CERTILE_NO_MEMORY, "there is not enough memory");
  } catch (const std::exception& failure) {
    return say(CERTILE_FAILED, failure.what());
  } catch (...) {
    return say(CERTILE_FAILED, "something was thrown that is no std::exception");
  }
}

// Returns true if the operator lists the type.
bool is_listed(std::uint32_t type) {
  return type == CERTILE_BOOLEAN || (type >= CERTILE_I8 && type <= CERTILE_I64) ||
         (type >= CERTILE_U8 && type <= CERTILE_F64) || (type >= CERTILE_C64 && type <= CERTILE_STRING);
}

// Returns the repeats of a call that the operator accepts as far as types and ranks go.
std::vector<std::int64_t> repeats_of(const certile_call& call) {
  const certile_tensor& repeats = *call.repeats;
  if (call.op != CERTILE_ONNX_TILE_13) throw Unsupported("only onnx-tile-13 is implemented");
  if (!is_listed(call.data->element_type)) throw Rejected("the operator does not list this type");
  if (repeats.element_type != CERTILE_I64) throw Rejected("repeats must be i64");
  if (repeats.rank != 1) throw Rejected("repeats must be 1-D");
  if (repeats.shape[0] != call.data->rank) throw Rejected("repeats must have one number per axis");
  if (call.data->rank > most_axes) throw Unsupported("too many axes");
  const auto* first = static_cast<const std::int64_t*>(repeats.data);
  return {first, first + repeats.shape[0]};
}

// Returns the output's shape.
std::vector<std::int64_t> output_shape(const certile_tensor& data, const std::vector<std::int64_t>& repeats) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> shape;
  bool is_empty = false;
  for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
    const std::int64_t size = data.shape[axis];
    if (repeats[axis] < 0) throw Rejected("a repeat is negative");
    if (size > 0 && repeats[axis] > most / size) throw Rejected("a dimension is too large");
    shape.push_back(size * repeats[axis]);
    is_empty = is_empty || shape.back() == 0;
  }
  std::int64_t count = is_empty ? 0 : 1;
  for (const std::int64_t size : shape) {
    if (count > 0 && size > most / count) throw Rejected("there are too many elements");
    count *= size;
  }
  return shape;
}

std::int32_t infer(void* /*self*/, const certile_call* call, std::int64_t* shape, std::int32_t /*capacity*/,
                   std::int32_t* rank, certile_text* why) {
  return guarded(why, [&] {
    const std::vector<std::int64_t> found = output_shape(*call->data, repeats_of(*call));
    for (std::size_t axis = 0; axis < found.size(); ++axis)
      shape[axis] = found[axis];
    *rank = call->data->rank;
  });
}

std::int32_t run(void* /*self*/, const certile_call* call, certile_tensor* out, certile_text* why) {
  return guarded(why, [&] {
    const certile_tensor& data = *call->data;
    Tiling tiling;
    tiling.repeats = repeats_of(*call);
    output_shape(data, tiling.repeats);  // throws what infer throws
    if (out->byte_size == 0) return;
    tiling.shape.assign(data.shape, data.shape + data.rank);
    tiling.element_size = data.element_bits / 8;  // a string is moved as its 16-byte view
    tiling.data_size = data.byte_size;
    tiling.out_size = out->byte_size;
    tile(tiling, static_cast<const std::byte*>(data.data), static_cast<std::byte*>(out->data));
  });
}

void destroy(void* /*self*/) {}

}  // namespace

std::int32_t certile_plugin_open(std::uint32_t host_major, std::uint32_t /*host_minor*/,
                                 certile_plugin* plugin) {
  if (host_major != CERTILE_ABI_MAJOR) return CERTILE_UNSUPPORTED;
  try {
    prepare();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());  // certile shows it
    return CERTILE_FAILED;
  }
  plugin->struct_size = sizeof *plugin;  // this file fills no more, whatever the host offers
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = "mine";
  plugin->version = "1";
  plugin->operators = "onnx-tile-13";
  plugin->types = "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128 string";
  plugin->repeats_types = "i64";
  plugin->max_rank = most_axes;
  plugin->infer = infer;
  plugin->run = run;
  plugin->destroy = destroy;
  return CERTILE_OK;
}
