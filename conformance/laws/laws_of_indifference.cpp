#include <algorithm>

#include "conformance/laws/each_law.hpp"
#include "conformance/laws/tensor_algebra.hpp"

namespace certile::conformance {
namespace {

// Returns true if another type may have the same bits: a string is a view, and only 0 and 1 are booleans.
bool can_become(ElementType from, ElementType to) {
  return from != to && bits(from) == bits(to) && from != ElementType::string && to != ElementType::string &&
         to != ElementType::boolean;
}

}  // namespace

void reinterpreted_type(LawTrial& trial) {
  std::vector<ElementType> others;
  for (const ElementType type : trial.scope().types())
    if (can_become(trial.data().type(), type)) others.push_back(type);
  if (others.empty()) return trial.skip();
  const auto plain = trial.whole();
  for (const ElementType type : others) {
    const auto same = trial.tiled(reinterpreted(trial.data(), type), trial.tiling().times);
    if (!plain || !same) return;
    trial.demand_same(reinterpreted(*same, plain->type()), *plain,
                      "as " + std::string(name(type)) + " the same bits move");
  }
}

void any_placement(LawTrial& trial) {
  const Placement plain{};
  const auto usual = trial.whole_at(plain);
  if (usual.empty()) return;
  const int width = std::max(bits(trial.data().type()) / 8, 1);
  std::vector<Placement> others{{.guard = Placement::Guard::before}, {.guard = Placement::Guard::after}};
  for (const int offset : {1, 3, 5})
    if (width * offset < 64) others.push_back({.offset = width * offset});
  for (const Placement& other : others) {
    const auto elsewhere = trial.whole_at(other);
    if (elsewhere.empty()) return;
    trial.demand_same(elsewhere.front(), usual.front(), "where the buffers lie changes nothing");
  }
}

void concurrent_calls(LawTrial& trial) {
  const auto together = trial.whole_at({.threads = 3});
  if (together.empty()) return;
  // The first thread has the data of a single call.
  const auto alone = trial.whole_at({});
  if (alone.empty()) return;
  trial.demand_same(together.front(), alone.front(), "a call among others as a call alone");
  for (const Tensor& output : together)
    for (std::size_t axis = 0; axis < trial.rank(); ++axis)
      if (first_break_of_period(output, axis, trial.tiling().shape[axis]))
        return trial.break_with(
            "the answer to one of three concurrent calls does not repeat itself along axis " +
            std::to_string(axis));
}

}  // namespace certile::conformance
