#include "conformance/laws/each_law.hpp"
#include "reference/oracle/definition.hpp"

namespace certile::conformance {
namespace {

Shape ones(std::size_t length) {
  return Shape(length, 1);
}

// Returns the repeats of one axis; the others are 1.
Shape times_along(std::size_t rank, std::size_t axis, std::int64_t times) {
  Shape repeats = ones(rank);
  repeats[axis] = times;
  return repeats;
}

Shape with_one(Shape shape, bool in_front) {
  shape.insert(in_front ? shape.begin() : shape.end(), 1);
  return shape;
}

}  // namespace

void tiling_by_ones(LawTrial& trial) {
  if (const auto same = trial.tiled(trial.data(), ones(trial.rank())))
    trial.demand_same(*same, trial.data(), "tiling by ones gives the data");
}

void tiling_twice(LawTrial& trial) {
  const Tiling& tiling = trial.tiling();
  if (trial.rank() == 0) return trial.skip();
  const auto first = trial.whole();
  if (!first) return;
  // Alternates 2 and 3, as long as the output is small enough for a law.
  Shape again = ones(trial.rank());
  Shape product = tiling.times;
  for (std::size_t axis = 0; axis < trial.rank(); ++axis) {
    const std::int64_t factor = axis % 2 == 0 ? 2 : 3;
    product[axis] *= factor;
    if (tiled_shape(first->type(), {tiling.shape, product}))
      again[axis] = factor;
    else
      product[axis] = tiling.times[axis];
  }
  const auto twice = trial.tiled(*first, again);
  const auto once = trial.tiled(trial.data(), product);
  if (twice && once) trial.demand_same(*twice, *once, "tiling the answer again gives that of the products");
}

void axis_order(LawTrial& trial) {
  // One axis has no order; onnx-tile-1 repeats only one, so another axis is added.
  if (trial.rank() < 2) return trial.skip();
  Shape times = trial.tiling().times;
  std::size_t repeated = 0;
  for (const std::int64_t each : times)
    repeated += each != 1 ? 1 : 0;
  for (std::size_t axis = 0; axis < times.size() && repeated < 2; ++axis) {
    if (times[axis] != 1) continue;
    times[axis] = 2;
    ++repeated;
  }
  std::optional<Tensor> forwards = trial.data();
  std::optional<Tensor> backwards = trial.data();
  for (std::size_t step = 0; step < times.size(); ++step) {
    const std::size_t last = times.size() - 1 - step;
    if (times[step] != 1) forwards = trial.tiled(*forwards, times_along(times.size(), step, times[step]));
    if (!forwards) return;
    if (times[last] != 1) backwards = trial.tiled(*backwards, times_along(times.size(), last, times[last]));
    if (!backwards) return;
  }
  trial.demand_same(*forwards, *backwards, "from the first axis to the last as from the last to the first");
  if (has_axis(trial.question().definition)) return;
  if (const auto at_once = trial.tiled(trial.data(), times))
    trial.demand_same(*at_once, *forwards, "all axes at once as one after the other");
}

void explicit_ones(LawTrial& trial) {
  const Tiling& tiling = trial.tiling();
  const auto plain = trial.whole();
  if (!plain) return;
  for (const bool in_front : {true, false}) {
    const Shape shape = with_one(trial.output_shape(), in_front);
    const auto same = trial.tiled(trial.data().reshaped(with_one(tiling.shape, in_front)),
                                  with_one(tiling.times, in_front));
    if (!same) return;
    trial.demand_same(*same, plain->reshaped(shape),
                      in_front ? "ones in front change nothing" : "ones behind change nothing");
  }
  if (oracle::rules_of(trial.question().definition).length != oracle::Length::any) return;
  // Spells out, on one side only, what promotion inserts in front.
  const Shape shape = with_one(trial.output_shape(), true);
  const auto longer_repeats = trial.called(trial.data(), with_one(tiling.times, true), shape);
  if (longer_repeats)
    trial.demand_same(*longer_repeats, plain->reshaped(shape), "a one in front of the repeats alone");
  const Tensor longer_data = trial.data().reshaped(with_one(tiling.shape, true));
  const auto same = trial.called(longer_data, tiling.times, shape);
  if (same) trial.demand_same(*same, plain->reshaped(shape), "a one in front of the data's shape alone");
}

void zero_repeats(LawTrial& trial) {
  for (std::size_t axis = 0; axis < trial.rank(); ++axis) {
    Shape times = trial.tiling().times;
    times[axis] = 0;
    Shape empty = trial.output_shape();
    empty[axis] = 0;
    const auto nothing = trial.tiled(trial.data(), times);
    if (!nothing) return;
    trial.demand_same(*nothing, Tensor(trial.data().type(), empty),
                      "a repeat of 0 on axis " + std::to_string(axis));
  }
  if (trial.rank() == 0) trial.skip();
}

}  // namespace certile::conformance
