#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/kernel_cases.hpp"

namespace certile::conformance {

namespace {

// Returns all vectors of length 0 to `max_rank` with entries from `least` to `most`, short ones first.
std::vector<Shape> vectors(int max_rank, std::int64_t least, std::int64_t most) {
  std::vector<Shape> all{{}};
  std::size_t first_of_rank = 0;
  for (int rank = 1; rank <= max_rank; ++rank) {
    const std::size_t end = all.size();
    for (; first_of_rank < end; ++first_of_rank)
      for (std::int64_t entry = least; entry <= most; ++entry) {
        Shape longer = all[first_of_rank];
        longer.push_back(entry);
        all.push_back(std::move(longer));
      }
  }
  return all;
}

// Varies what does not affect the shape by a number that differs for each case, so that each type occurs with
// all shapes, and not with every fourth one.
Draft varied(const std::vector<ElementType>& types, std::uint64_t number) {
  constexpr std::array fills{Fill::Kind::index, Fill::Kind::bits, Fill::Kind::special};
  const std::uint64_t choice = mix(number);
  Draft draft;
  draft.type = types[static_cast<std::size_t>(choice % types.size())];
  draft.fill.kind = fills[static_cast<std::size_t>((choice >> 16) % fills.size())];
  if (draft.fill.kind != Fill::Kind::index) draft.fill.seed = (choice >> 24) % 64;
  draft.variety = choice >> 32;
  return draft;
}

void add_small_axes(Sink& sink, const std::vector<Shape>& shapes, const std::vector<ElementType>& types) {
  std::uint64_t number = 0;
  for (const Shape& shape : shapes) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    for (std::int64_t tiles = 0; tiles <= 3; ++tiles)
      for (std::int64_t axis = -rank - 1; axis <= rank; ++axis) {
        Draft draft = varied(types, number++);
        draft.shape = shape;
        draft.repeats = {tiles};
        draft.axis = axis;
        sink.add(draft);
      }
  }
}

void add_small_pairs(Sink& sink, const std::vector<Shape>& shapes, const std::vector<ElementType>& types) {
  std::uint64_t number = 0;
  for (const Shape& shape : shapes)
    for (const Shape& repeats : shapes) {
      Draft draft = varied(types, number++);
      draft.shape = shape;
      draft.repeats = repeats;
      sink.add(draft);
    }
}

}  // namespace

void add_small_shapes(Sink& sink, int max_rank, bool widths_vary) {
  sink.begin(Generator::small_shapes);
  const std::vector<Shape> shapes = vectors(max_rank, 0, 3);
  std::vector<std::vector<ElementType>> rounds = sink.scope().widths();
  if (widths_vary) rounds = {1, sink.scope().types()};
  for (const auto& types : rounds) {
    if (has_axis(sink.scope().definition()))
      add_small_axes(sink, shapes, types);
    else
      add_small_pairs(sink, shapes, types);
  }
}

void add_signed_repeats(Sink& sink) {
  sink.begin(Generator::signed_repeats);
  std::uint64_t number = 0;
  for (const Shape& shape : vectors(2, 0, 2))
    for (const Shape& repeats : vectors(2, -2, 2)) {
      Draft draft = varied(sink.scope().types(), ++number);
      draft.shape = shape;
      draft.repeats = repeats;
      sink.add(draft);
    }
  // As many numbers as a vector widens at a time, and one more.
  for (const std::size_t length : {4U, 5U, 8U, 9U, 16U, 17U})
    for (std::uint64_t variety = 0; variety < sink.scope().repeats_types().size(); ++variety) {
      Draft draft = varied(sink.scope().types(), ++number);
      draft.shape.assign(length, 1);
      draft.repeats.assign(length, 1);
      draft.repeats[number % length] = -1;
      draft.variety = variety;
      sink.add(draft);
    }
}

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

namespace {

// Adds `axes` axes of which no two can be merged, between axes of one element up to `rank`.  An axis can be
// merged with the next one if that one is not repeated, or if the axis itself has one element; so every axis
// but the last has two elements, and every axis but the first is repeated; the first is not in a third of the
// cases, and three times in another.
void add_unmergeable(KernelCases& kernel, int width, int axes, int rank, std::uint64_t number) {
  const auto of_first = static_cast<std::int64_t>(1 + mix(number * 3) % 3);
  Draft draft;
  for (int axis = 0; axis < axes; ++axis) {
    draft.shape.push_back(axis + 1 == axes ? 1 : 2);
    draft.repeats.push_back(axis == 0 ? of_first : 2);
  }
  for (int spare = rank - axes; spare > 0; --spare) {
    const auto at = static_cast<std::ptrdiff_t>(mix(number + static_cast<std::uint64_t>(spare)) %
                                                (draft.shape.size() + 1));
    draft.shape.insert(draft.shape.begin() + at, 1);
    draft.repeats.insert(draft.repeats.begin() + at, 1);
  }
  draft.fill = revealing_fill(number);
  kernel.add(width, draft);
}

// Adds data of more than 65,536 elements behind three axes and more that cannot be merged, which kernels
// number or list; the long axis is the first one, one in the middle or the last.
void add_much_data(KernelCases& kernel, int width) {
  for (std::size_t axes = 3; axes <= 7; ++axes)
    for (const std::size_t place : {std::size_t{0}, axes / 2, axes - 1}) {
      Draft draft{.shape = Shape(axes, 2), .repeats = Shape(axes, 2)};
      draft.shape[place] = (70'000 >> (axes - 1)) | 1;
      draft.fill = revealing_fill(axes * 7 + place);
      kernel.add(width, draft);
    }
}

}  // namespace

void add_unmergeable_axes(KernelCases& kernel, int most) {
  kernel.begin(Generator::unmergeable_axes);
  std::uint64_t number = 0;
  for (int axes = 8; axes <= most; ++axes)
    for (const int rank : {axes, axes + 1, 20, 33, 64})
      for (const int width : kernel.widths()) {
        // The output has 4 to the power of axes - 1 elements, so few types are asked of many axes.
        const bool is_affordable = axes == 8 || width == 8 || (width > 8 && axes == 9) ||
                                   (width == 32 && axes <= 11) || (width == 1 && axes == 13);
        const bool is_due = axes <= 9 || rank == axes || (axes == 10 && rank == 64);
        if (is_affordable && is_due && width <= 64) add_unmergeable(kernel, width, axes, rank, ++number);
      }
  if (most >= 12) add_much_data(kernel, 8);
}

namespace {

// Returns a tiling whose leading axes have several elements, repeats, both or neither, by two bits of
// `pattern` for each.
Draft patterned(std::size_t leading, std::uint64_t pattern, std::uint64_t number) {
  Draft draft;
  for (std::size_t axis = 0; axis < leading; ++axis, pattern /= 4) {
    const std::uint64_t choice = mix(number * 16 + axis);
    const auto several = [&](int at) { return static_cast<std::int64_t>(2 + (choice >> at) % 2); };
    draft.shape.push_back(pattern % 2 == 1 ? several(0) : 1);
    draft.repeats.push_back(pattern / 2 % 2 == 1 ? several(8) : 1);
  }
  return draft;
}

}  // namespace

void add_axis_patterns(KernelCases& kernel, AxisPatterns wanted) {
  kernel.begin(Generator::axis_patterns);
  std::vector<int> widths;
  for (const int width : kernel.widths())
    if (width >= 8 && width <= 64) widths.push_back(width);
  if (widths.empty()) return;
  std::uint64_t number = 0;
  const auto add = [&](std::size_t leading, std::uint64_t pattern, int width, std::int64_t repeat) {
    // Bytes of a row, longer than a few vectors.
    constexpr std::int64_t least = 128, choices = 400;
    Draft draft = patterned(leading, pattern, ++number);
    const std::int64_t bytes = least + static_cast<std::int64_t>(mix(number) % choices);
    draft.shape.push_back(bytes * 8 / width);
    draft.repeats.push_back(repeat);
    draft.fill = revealing_fill(number);
    kernel.add(width, draft);
  };
  for (const std::size_t leading : {std::size_t{3}, std::size_t{4}})
    for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << (2 * leading); ++pattern) {
      if (wanted == AxisPatterns::once) {
        const std::uint64_t choice = mix(pattern);
        add(leading, pattern, widths[choice % widths.size()], (choice >> 32) % 4 == 0 ? 3 : 1);
        continue;
      }
      for (const int width : widths)
        for (const std::int64_t repeat : {1, 3})
          add(leading, pattern, width, repeat);
    }
}

namespace {

constexpr std::int64_t largest_divisor = 130;

std::int64_t least_factor(std::int64_t number) {
  std::int64_t factor = 2;
  while (number % factor != 0)
    ++factor;
  return factor;
}

// Adds `axes` repeated axes, all with two elements and two copies but one.
void add_with(KernelCases& kernel, int width, std::size_t axes, std::size_t place, std::int64_t dimension,
              std::int64_t repeat) {
  Draft draft{.shape = Shape(axes, 2),
              .repeats = Shape(axes, 2),
              .fill = {Fill::Kind::bits, static_cast<std::uint64_t>(dimension)}};
  draft.shape[place] = dimension;
  draft.repeats[place] = repeat;
  kernel.add(width, draft);
}

}  // namespace

void add_divisors(KernelCases& kernel, Divisors wanted) {
  kernel.begin(Generator::divisors);
  if (kernel.widths().empty()) return;
  // What counts are the numbers, so the elements are as small as whole bytes allow.
  const auto whole = std::ranges::find_if(kernel.widths(), [](int width) { return width >= 8; });
  const int width = whole == kernel.widths().end() ? kernel.widths().back() : *whole;
  const bool is_sampled = wanted == Divisors::of_five_axes;
  for (std::size_t axes = is_sampled ? 5 : 2; axes <= (is_sampled ? 5 : 6); ++axes)
    for (std::int64_t number = 1; number <= largest_divisor; ++number)
      for (const std::size_t place : {axes - 1, static_cast<std::size_t>(number) % (axes - 1)}) {
        add_with(kernel, width, axes, place, number, 2);
        // Even ones are the dimensions above times two.
        if (const bool is_new = number % 2 == 1 && number > 1; is_new && !is_sampled) {
          const std::int64_t repeat = least_factor(number);
          add_with(kernel, width, axes, place, number / repeat, repeat);
        }
      }
}

}  // namespace certile::conformance
