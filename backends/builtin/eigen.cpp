// Eigen's tensor broadcast moves every element; this file only chooses the shapes it is asked to move.
//
// Eigen has no rank 0, wants ranks at compile time and asserts that no dimension is zero.  Fused axes
// (fused_axes.hpp) have neither rank 0 nor zeroes, and mostly three axes or fewer; what has more is moved in
// several broadcasts, innermost axes first.  An element is a number of one, two, four or eight bytes, or two
// of eight.
#include <unsupported/Eigen/CXX11/Tensor>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "backends/builtin/builtin.hpp"
#include "backends/builtin/fused_axes.hpp"

namespace certile::backends {
namespace {

constexpr std::size_t most_axes = 3;  // of one broadcast: each rank is one more instantiation for each width

template <class Number, std::size_t rank>
void broadcast(std::span<const FusedAxis> axes, const Number* from, Number* to) {
  Eigen::array<Eigen::Index, rank> dimensions;
  Eigen::array<Eigen::Index, rank> repeats;
  Eigen::array<Eigen::Index, rank> output;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    dimensions[axis] = axes[axis].dimension;
    repeats[axis] = axes[axis].repeats;
    output[axis] = dimensions[axis] * repeats[axis];
  }
  constexpr int order = static_cast<int>(Eigen::RowMajor);
  using Input = Eigen::Tensor<const Number, static_cast<int>(rank), order, Eigen::Index>;
  using Output = Eigen::Tensor<Number, static_cast<int>(rank), order, Eigen::Index>;
  Eigen::TensorMap<Output>(to, output) = Eigen::TensorMap<Input>(from, dimensions).broadcast(repeats);
}

template <class Number>
void broadcast(std::span<const FusedAxis> axes, const Number* from, Number* to) {
  switch (axes.size()) {
    case 1:
      return broadcast<Number, 1>(axes, from, to);
    case 2:
      return broadcast<Number, 2>(axes, from, to);
    default:
      return broadcast<Number, most_axes>(axes, from, to);
  }
}

template <class Number>
void move_fused(std::vector<FusedAxis> axes, const std::byte* data, std::byte* out) {
  const Number* from = reinterpret_cast<const Number*>(data);
  std::vector<Number> between;
  while (axes.size() > most_axes) {
    // The innermost axes are moved now. One axis that nothing repeats stands for those outside them, so the
    // result is a row of the rest.
    const auto inner = axes.end() - static_cast<std::ptrdiff_t>(most_axes - 1);
    std::vector<FusedAxis> now{{1, 1}};
    for (auto outer = axes.begin(); outer != inner; ++outer)
      now.front().dimension *= outer->dimension;
    now.insert(now.end(), inner, axes.end());
    std::int64_t row = 1;
    for (auto axis = inner; axis != axes.end(); ++axis)
      row *= axis->dimension * axis->repeats;

    std::vector<Number> result(static_cast<std::size_t>(now.front().dimension * row));
    broadcast<Number>(now, from, result.data());
    between = std::move(result);
    from = between.data();
    axes.erase(inner, axes.end());
    axes.back().dimension *= row;
  }
  broadcast<Number>(axes, from, reinterpret_cast<Number*>(out));
}

void move(const void*, const TilePlan& plan, const certile_tensor& data, const certile_tensor& out) {
  const auto* const from = static_cast<const std::byte*>(data.data);
  auto* const to = static_cast<std::byte*>(out.data);
  std::vector<FusedAxis> fused = fused_axes(plan, std::min(data.element_bits, 64U));
  switch (data.element_bits) {
    case 8:
      return move_fused<std::uint8_t>(std::move(fused), from, to);
    case 16:
      return move_fused<std::uint16_t>(std::move(fused), from, to);
    case 32:
      return move_fused<std::uint32_t>(std::move(fused), from, to);
    default:
      return move_fused<std::uint64_t>(std::move(fused), from, to);
  }
}

}  // namespace

std::int32_t open_eigen(certile_plugin& table) {
  return fill_table(table, {"eigen",
                            std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) +
                                "." + std::to_string(EIGEN_MINOR_VERSION),
                            false, move});
}

}  // namespace certile::backends
