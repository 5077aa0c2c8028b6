#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"

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

}  // namespace certile::conformance
