#include <algorithm>
#include <numeric>

#include "conformance/laws/each_law.hpp"
#include "conformance/laws/tensor_algebra.hpp"

namespace certile::conformance {
namespace {

Shape picked(const Shape& shape, const std::vector<std::size_t>& order) {
  Shape result;
  for (const std::size_t axis : order)
    result.push_back(shape[axis]);
  return result;
}

}  // namespace

void periodic(LawTrial& trial) {
  const auto output = trial.whole();
  if (!output) return;
  for (std::size_t axis = 0; axis < trial.rank(); ++axis) {
    const auto place = first_break_of_period(*output, axis, trial.tiling().shape[axis]);
    if (!place) continue;
    return trial.break_with("element " + std::to_string(*place) + " of the output is not the one " +
                            std::to_string(trial.tiling().shape[axis]) + " further along axis " +
                            std::to_string(axis));
  }
}

void concatenation(LawTrial& trial) {
  Shape times = trial.tiling().times;
  const auto most = std::max_element(times.begin(), times.end());
  if (most == times.end() || *most < 2) return trial.skip();
  const auto axis = static_cast<std::size_t>(most - times.begin());
  const auto all = trial.whole();
  --*most;
  const auto one_less = trial.tiled(trial.data(), times);
  *most = 1;
  const auto one = trial.tiled(trial.data(), times);
  if (all && one_less && one)
    trial.demand_same(*all, concatenated(*one_less, *one, axis),
                      "one more repeat of axis " + std::to_string(axis) + " adds one more copy at its end");
}

void kronecker(LawTrial& trial) {
  if (const auto output = trial.whole())
    trial.demand_same(*output, kronecker_of_ones(trial.tiling().times, trial.data()),
                      "the answer is the product of ones with the data");
}

void permuted_axes(LawTrial& trial) {
  if (trial.rank() < 2) return trial.skip();
  const auto plain = trial.whole();
  if (!plain) return;
  std::vector<std::size_t> order(trial.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // First a rotation to the left, then a reversal; for two axes both are the same.
  for (const bool reversed : {false, true}) {
    if (reversed && trial.rank() == 2) return;
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (reversed)
      std::reverse(order.begin(), order.end());
    else
      std::rotate(order.begin(), order.begin() + 1, order.end());
    const auto same = trial.tiled(permuted(trial.data(), order), picked(trial.tiling().times, order));
    if (!same) return;
    trial.demand_same(*same, permuted(*plain, order), "permuted before as permuted after");
  }
}

}  // namespace certile::conformance
