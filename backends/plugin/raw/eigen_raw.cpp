// Eigen's broadcast as an ordinary user would call it, with Eigen's assertions on and without corrections.
#include <unsupported/Eigen/CXX11/Tensor>

#include <complex>
#include <exception>

#include "raw.hpp"

namespace {

template <class Number, int rank>
void broadcast(const raw::Shapes& shapes, const void* data, void* out) {
  Eigen::array<Eigen::Index, rank> dimensions, repeats, output;
  for (int axis = 0; axis < rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    dimensions[at] = shapes.dimensions[at];
    repeats[at] = shapes.repeats[at];
    output[at] = dimensions[at] * repeats[at];
  }
  const Eigen::TensorMap<Eigen::Tensor<const Number, rank, Eigen::RowMajor>> from(
      static_cast<const Number*>(data), dimensions);
  Eigen::TensorMap<Eigen::Tensor<Number, rank, Eigen::RowMajor>> to(static_cast<Number*>(out), output);
  to = from.broadcast(repeats);
}

template <class Number>
std::int32_t tile(const raw::Shapes& shapes, const void* data, void* out, certile_text* why) {
  switch (shapes.dimensions.size()) {
    case 1:
      broadcast<Number, 1>(shapes, data, out);
      return CERTILE_OK;
    case 2:
      broadcast<Number, 2>(shapes, data, out);
      return CERTILE_OK;
    case 3:
      broadcast<Number, 3>(shapes, data, out);
      return CERTILE_OK;
    case 4:
      broadcast<Number, 4>(shapes, data, out);
      return CERTILE_OK;
    case 5:
      broadcast<Number, 5>(shapes, data, out);
      return CERTILE_OK;
    default:
      return raw::say(why, CERTILE_UNSUPPORTED, "Eigen has no broadcast of rank 0");
  }
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
        return tile<std::uint8_t>(shapes, call->data->data, out->data, why);
      case 16:
        return tile<std::uint16_t>(shapes, call->data->data, out->data, why);
      case 32:
        return tile<std::uint32_t>(shapes, call->data->data, out->data, why);
      case 64:
        return tile<std::uint64_t>(shapes, call->data->data, out->data, why);
      default:
        return tile<std::complex<double>>(shapes, call->data->data, out->data, why);
    }
  } catch (const std::exception& error) {
    return raw::say(why, CERTILE_FAILED, error.what());
  }
}

}  // namespace

__attribute__((visibility("default"))) std::int32_t certile_plugin_open(std::uint32_t, std::uint32_t,
                                                                        certile_plugin* plugin) {
  raw::fill(plugin, "eigen-raw", {EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION});
  plugin->run = run;
  return CERTILE_OK;
}
