#include <algorithm>
#include <array>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"

namespace certile::conformance {
namespace {

constexpr std::array<std::int64_t, 3> dimensions{3, 5, 7};
constexpr std::array<std::int64_t, 3> copies{6, 9, 11};

ElementType type_in_turn(const Scope& scope, std::uint64_t number) {
  return scope.types()[static_cast<std::size_t>(mix(number) % scope.types().size())];
}

// Adds a shape of ones in which the chosen axes have a dimension and are repeated; the axes before the first
// one and after the last one have a dimension too, so that a wrong order of axes shows.
void add_repeated_axes(Sink& sink, int rank, const std::vector<int>& axes, std::uint64_t number) {
  Draft draft{.type = type_in_turn(sink.scope(), number), .variety = number};
  draft.shape.assign(static_cast<std::size_t>(rank), 1);
  draft.repeats.assign(static_cast<std::size_t>(rank), 1);
  if (axes.size() < 3) {
    if (axes.front() > 0) draft.shape[static_cast<std::size_t>(axes.front()) - 1] = 2;
    if (axes.back() + 1 < rank) draft.shape[static_cast<std::size_t>(axes.back()) + 1] = 10;
  }
  for (std::size_t index = 0; index < axes.size(); ++index) {
    const auto axis = static_cast<std::size_t>(axes[index]);
    draft.shape[axis] = dimensions[(index + number) % 3];
    draft.repeats[axis] = copies[(index + number / 3) % 3];
  }
  draft.fill = revealing_fill(number);
  sink.add(draft);
}

}  // namespace

void add_ranks(Sink& sink, int max_rank) {
  sink.begin(Generator::ranks);
  std::uint64_t number = 0;
  sink.add(Draft{.type = sink.scope().types().front(), .shape = {}, .repeats = {}});
  for (int rank = 1; rank <= max_rank; ++rank) {
    Draft untouched{.type = type_in_turn(sink.scope(), ++number)};
    for (int axis = 0; axis < rank; ++axis)
      untouched.shape.push_back(axis % 3 == 2 ? 3 : axis % 3 == 1 ? 2 : 1);
    untouched.repeats.assign(static_cast<std::size_t>(rank), 1);
    if (rank <= 10) sink.add(untouched);

    for (int first = 0; first < rank; ++first) {
      add_repeated_axes(sink, rank, {first}, ++number);
      for (int second = first + 1; second < rank; ++second) {
        if (rank <= 10) add_repeated_axes(sink, rank, {first, second}, ++number);
        // Three axes give large outputs, so two neighbours and the last are enough.
        if (second == first + 1 && second + 1 < rank)
          add_repeated_axes(sink, rank, {first, second, rank - 1}, ++number);
      }
    }
    // All axes, no two of which can be merged.
    if (rank >= 4 && rank <= 8) {
      Draft all{.type = type_in_turn(sink.scope(), ++number), .variety = number};
      for (int axis = 0; axis < rank; ++axis) {
        all.shape.push_back(rank < 7 && axis % 2 == 1 ? 3 : 2);
        all.repeats.push_back(rank < 7 && axis % 2 == 0 ? 3 : 2);
      }
      sink.add(all);
    }
    // Three axes, none next to another, so that no two of them can be merged.
    if (rank >= 5) add_repeated_axes(sink, rank, {0, rank / 2, rank - 1}, ++number);
  }
}

void add_high_ranks(Sink& sink) {
  sink.begin(Generator::high_ranks);
  std::uint64_t number = 0;
  for (const int rank : {15, 16, 17, 31, 32, 33, 63, 64}) {
    const std::vector<std::vector<int>> choices{{0}, {1}, {rank - 1}, {0, rank - 1}, {1, rank - 2}, {7, 8}};
    for (const std::vector<int>& axes : choices)
      add_repeated_axes(sink, rank, axes, ++number);
    if (has_axis(sink.scope().definition())) continue;
    // Promotion of the data and of the repeats.
    Draft draft{.type = type_in_turn(sink.scope(), ++number), .shape = {3, 5}, .variety = number};
    draft.repeats.assign(static_cast<std::size_t>(rank), 1);
    draft.repeats.front() = 6;
    draft.repeats.back() = 7;
    sink.add(draft);
    draft.shape.assign(static_cast<std::size_t>(rank), 1);
    draft.shape.front() = 3;
    draft.shape.back() = 5;
    draft.repeats = {6, 7};
    sink.add(draft);
    // Every axis is repeated, as far as the elements can be counted; where there are more, they can be
    // merged.
    if (rank > 62) continue;
    draft.shape.assign(static_cast<std::size_t>(rank), rank <= 31 ? 2 : 1);
    draft.repeats.assign(static_cast<std::size_t>(rank), 2);
    draft.placement.shape_only = true;
    sink.add(draft);
  }
}

namespace {

// Adds several new axes that are repeated, in front of the data's.
void add_new_axes(Sink& sink, std::uint64_t number) {
  for (int added = 1; added <= 7; ++added) {
    Draft draft{.type = type_in_turn(sink.scope(), ++number), .shape = {2, 3}, .variety = number};
    for (int axis = 0; axis < added; ++axis)
      draft.repeats.push_back(2 + (axis + added) % 2);
    draft.repeats.push_back(1);
    draft.repeats.push_back(2);
    draft.fill = revealing_fill(number);
    sink.add(draft);
  }
}

// Adds empty outputs of many axes, with as many repeats or a few more.
void add_empty_outputs(Sink& sink, std::uint64_t number) {
  for (const std::size_t rank : {1U, 2U, 3U, 5U, 8U, 9U, 10U, 12U, 16U, 17U, 24U, 33U, 60U})
    for (const std::size_t longer : {0U, 1U, 4U})
      for (const bool is_data_empty : {false, true}) {
        Draft draft{.type = type_in_turn(sink.scope(), ++number), .variety = number};
        draft.shape.assign(rank, 1);
        draft.repeats.assign(rank + longer, 1);
        for (std::size_t axis = 0; axis < rank; axis += 1 + rank / 8)
          draft.shape[axis] = 2;
        for (std::size_t axis = 0; axis < draft.repeats.size(); axis += 3)
          draft.repeats[axis] = 2;
        Shape& emptied = is_data_empty ? draft.shape : draft.repeats;
        emptied[mix(number) % emptied.size()] = 0;
        sink.add(draft);
      }
}

}  // namespace

void add_many_new_and_empty_axes(Sink& sink) {
  sink.begin(Generator::new_and_empty_axes);
  add_new_axes(sink, 100);
  add_empty_outputs(sink, 200);
}

void add_promotions(Sink& sink, int max_rank) {
  sink.begin(Generator::promotions);
  if (has_axis(sink.scope().definition()))
    return;  // its repeats cannot be longer or shorter than the data's shape
  std::uint64_t number = 0;
  for (int rank = 0; rank <= max_rank; ++rank)
    for (int length = 0; length <= max_rank; ++length) {
      if (rank == length) continue;
      ++number;
      Draft draft{.type = type_in_turn(sink.scope(), number), .variety = number};
      // Ones in the middle keep the product small; both ends of either vector differ.
      draft.shape.assign(static_cast<std::size_t>(rank), 1);
      draft.repeats.assign(static_cast<std::size_t>(length), 1);
      if (rank > 0) draft.shape.front() = 3;
      if (rank > 1) draft.shape.back() = 5;
      if (length > 0) draft.repeats.front() = 6;
      if (length > 1) draft.repeats.back() = 7;
      sink.add(draft);
      if (length > 2) draft.repeats[1] = 0;
      if (rank > 2) draft.shape[1] = 2;
      sink.add(draft);
      std::fill(draft.repeats.begin(), draft.repeats.end(), 1);
      sink.add(draft);
    }
}

}  // namespace certile::conformance
