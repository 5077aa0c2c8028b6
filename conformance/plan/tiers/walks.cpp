#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "reference/oracle/definition.hpp"

namespace certile::conformance {
namespace {

struct Step {
  Shape shape, repeats;
};

Shape concatenated(Shape front, const Shape& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

// Returns what differs from the call in one respect, which a cache with a weak key takes for the same call:
// an order, a product, a sum, a rank, one number among many.
std::vector<Step> neighbours(const Step& call) {
  const auto& [shape, repeats] = call;
  std::vector<Step> steps;
  const auto with = [&](Shape other_shape, Shape other_repeats) {
    steps.push_back({std::move(other_shape), std::move(other_repeats)});
  };
  const auto turned = [](Shape numbers) {
    std::ranges::rotate(numbers, numbers.begin() + 1);
    return numbers;
  };
  const auto moved = [](Shape numbers, std::size_t from, std::size_t to) {
    --numbers[from];
    ++numbers[to];
    return numbers;
  };
  const std::size_t last = shape.size() - 1;
  with(shape, turned(repeats));
  with(turned(shape), repeats);
  with(turned(shape), turned(repeats));
  with(repeats, shape);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    Step other = call;
    ++other.repeats[axis];
    steps.push_back(other);
    other = call;
    ++other.shape[axis];
    steps.push_back(other);
  }
  if (last > 0) {
    with(moved(shape, last, 0), repeats);
    with(shape, moved(repeats, last, 0));
  }
  // The same numbers in the same order, divided otherwise into dimensions and repeats.
  with({shape.begin(), shape.end() - 1}, concatenated({shape.back()}, repeats));
  with(concatenated(shape, {repeats.front()}), {repeats.begin() + 1, repeats.end()});
  // The same numbers of elements on the whole, of the data and of the output.
  Step other = call;
  other.shape[last] *= other.repeats[0];
  other.repeats[0] = 1;
  steps.push_back(other);
  // The same axes after those of one element are left out.
  for (const std::size_t at : {std::size_t{0}, last, last + 1}) {
    other = call;
    other.shape.insert(other.shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    other.repeats.insert(other.repeats.begin() + static_cast<std::ptrdiff_t>(at), 1);
    steps.push_back(other);
    other.repeats[at] = 2;
    steps.push_back(other);
  }
  return steps;
}

// Returns pairs of calls whose numbers have equal hashes h·m + x for the usual m, dimensions before repeats
// or each dimension before its repeat: {a, c·m} and {c, a·m} have one sum a·m + c·m, and one product, so the
// outputs mostly have equal sizes too.
std::vector<std::array<Step, 2>> hashed_alike() {
  std::vector<std::array<Step, 2>> pairs;
  for (const std::int64_t m : {17, 31, 33, 37, 131})
    for (const std::int64_t a : {1, 3}) {
      const std::int64_t c = a + 1;
      pairs.push_back({Step{{2, 3}, {a, c * m}}, Step{{2, 3}, {c, a * m}}});  // the repeats
      pairs.push_back({Step{{a, c * m}, {2, 3}}, Step{{c, a * m}, {2, 3}}});  // the dimensions
      pairs.push_back({Step{{2, a}, {3, c * m}}, Step{{2, c}, {3, a * m}}});  // each with its repeat
      pairs.push_back({Step{{2, a}, {c * m, 3}}, Step{{2, c}, {a * m, 3}}});  // the last and the first
      pairs.push_back({Step{{2, c * m, 2}, {a, 1, 2}}, Step{{2, a * m, 2}, {c, 1, 2}}});
    }
  // Numbers of which a key keeps 8 or 16 bits.
  for (const std::int64_t more : {256, 65'536}) {
    pairs.push_back({Step{{1, 3}, {2, 1}}, Step{{1 + more, 3}, {2, 1}}});
    pairs.push_back({Step{{2, 3}, {1, 2}}, Step{{2, 3 + more}, {1, 2}}});
    pairs.push_back({Step{{3}, {2}}, Step{{3}, {2 + more}}});
    pairs.push_back({Step{{2, 1}, {1, 3}}, Step{{2, 1}, {1, 3 + more}}});
  }
  return pairs;
}

// Returns the call with the numbers of two neighbouring axes exchanged, for each such pair whose numbers
// differ: in the shape, and in the repeats.  Each has as many axes and elements as the call, which a cache
// that keeps a few of many axes takes for the same.
std::vector<Step> with_neighbouring_axes_exchanged(const Step& call) {
  std::vector<Step> steps;
  for (Shape Step::*numbers : {&Step::shape, &Step::repeats})
    for (std::size_t axis = 1; axis < call.shape.size(); ++axis) {
      Step other = call;
      std::swap((other.*numbers)[axis - 1], (other.*numbers)[axis]);
      if ((other.*numbers)[axis] != (call.*numbers)[axis]) steps.push_back(std::move(other));
    }
  return steps;
}

// Returns the types by the size of an element; the view of a string has as many bits as the largest number.
std::vector<std::vector<ElementType>> types_by_size(const Scope& scope) {
  std::vector<std::vector<ElementType>> sizes;
  std::vector<ElementType> largest;
  for (const std::vector<ElementType>& types : scope.widths()) {
    const bool is_largest = types.front() == ElementType::string || bits(types.front()) == 128;
    if (is_largest)
      largest.insert(largest.end(), types.begin(), types.end());
    else
      sizes.push_back(types);
  }
  sizes.push_back(std::move(largest));
  return sizes;
}

// Adds a call with special values; of a type of 64 bits and more with numbers whose high bits are zero, which
// are no address and no length.
void add_small_numbers(Sink& sink, ElementType type, std::uint64_t seed) {
  const Draft draft{.type = type,
                    .shape = {3},
                    .repeats = {2},
                    .fill = {Fill::Kind::special, seed},
                    .placement = {.guard = Placement::Guard::after}};
  for (Case question : sink.scope().cases_of(draft)) {
    if (type != ElementType::string && bits(type) >= 64) {
      question.data = Tensor(type, draft.shape);
      for (std::int64_t index = 0; index < 3; ++index)
        question.data.set_element(index, {seed + static_cast<std::uint64_t>(index), 0});
      question.fill = {};
    }
    sink.add_following(question);
  }
}

// [CT-STEADY] Adds calls whose repeats have the bytes of the repeats before them, in the other type of their
// width: -1 and the largest number.  The data have no elements, so that no output is large.
void add_repeats_of_the_same_bytes(Sink& sink) {
  const Scope& scope = sink.scope();
  if (has_axis(scope.definition())) return;
  const auto ask = [&](ElementType type, const std::string& repeat, bool follows) {
    const Case question =
        spelled_case(scope.definition(), scope.types().front(), {1, 0}, type, {repeat, "1"});
    follows ? sink.add_following(question) : sink.add(question);
  };
  for (const ElementType negative : scope.repeats_types())
    for (const ElementType large : scope.repeats_types()) {
      const bool is_pair = is_signed_integer(negative) && !is_signed_integer(large) && !is_real(large);
      if (!is_pair || bits(negative) != bits(large)) continue;
      ask(negative, "-1", false);
      ask(large, std::to_string(~std::uint64_t{0} >> (64 - bits(large))), true);
    }
}

// Returns a call of many axes of which only the first one and the last two are repeated, so that a key of a
// fixed size has no room for its last numbers, and the same with the last two numbers exchanged: in the
// repeats, in the shape, and in both.
std::vector<Step> with_last_numbers_exchanged(std::size_t axes) {
  const Shape ones(axes - 3, 1);
  const Step call{concatenated(concatenated({1}, ones), {5, 11}),
                  concatenated(concatenated({2}, ones), {4, 3})};
  std::vector<Step> steps{call, call, call, call};
  for (const std::size_t other : {1U, 3U})
    std::swap(steps[other].repeats[axes - 2], steps[other].repeats[axes - 1]);
  for (const std::size_t other : {2U, 3U})
    std::swap(steps[other].shape[axes - 2], steps[other].shape[axes - 1]);
  return steps;
}

}  // namespace

void add_walks(Sink& sink) {
  sink.begin(Generator::walks);
  std::uint64_t seed = 5000;
  bool follows = false;
  const auto add = [&](ElementType type, const Step& step, Placement::Guard guard) {
    const Draft draft{.type = type,
                      .shape = step.shape,
                      .repeats = step.repeats,
                      .fill = {Fill::Kind::bits, ++seed},
                      .placement = {.guard = guard}};
    follows ? sink.add_following(draft) : sink.add(draft);
    follows = true;
  };
  // [CT-STEADY] a call, its neighbour, and the call again, for each neighbour; all at one end of their
  // memory, so that calls of one size have their operands at the same addresses
  const std::vector<Step> calls{
      {{4, 6}, {3, 2}}, {{2, 5, 3}, {2, 1, 4}}, {{7}, {5}}, {{12, 16}, {2, 5}}, {{2, 3, 2, 4}, {1, 2, 2, 3}}};
  const std::vector<std::vector<ElementType>>& widths = sink.scope().widths();
  std::size_t turn = 0;
  const auto walk_from = [&](const Step& call) {
    for (const Placement::Guard guard : {Placement::Guard::after, Placement::Guard::before}) {
      const ElementType type = widths[turn % widths.size()].front();
      follows = false;
      add(type, call, guard);
      for (const Step& neighbour : neighbours(call)) {
        add(type, neighbour, guard);
        add(type, call, guard);
      }
      // The same call of every other width, and of another type.
      for (const auto& others : widths) {
        add(others[turn % others.size()], call, guard);
        add(type, call, guard);
      }
      ++turn;
    }
  };
  for (const Step& call : calls)
    walk_from(call);
  // One call of each type directly after the same call of each other type of its size, which follows another
  // call, so that what is kept of the last call is new.
  for (const auto& types : types_by_size(sink.scope()))
    for (const ElementType before : types)
      for (const ElementType type : types) {
        if (type == before) continue;
        follows = false;
        add(before, {{5}, {3}}, Placement::Guard::after);
        add(before, {{3}, {2}}, Placement::Guard::after);
        add_small_numbers(sink, type, ++seed);
      }
  for (const auto& [first, second] : hashed_alike()) {
    const ElementType type = widths[turn++ % widths.size()].back();
    follows = false;
    for (const Step* step : {&first, &second, &first})
      add(type, *step, Placement::Guard::after);
  }
  // Five axes, whose plans an implementation may keep apart.
  walk_from({{2, 3, 2, 2, 3}, {2, 3, 2, 3, 2}});
  add_repeats_of_the_same_bytes(sink);
  // Many axes, some of which an implementation may leave out of what it knows a call by.
  for (const std::size_t axes_between : std::initializer_list<std::size_t>{2, 10, 26}) {
    const Shape ones(axes_between, 1);
    const Step call{concatenated({2, 1, 3}, concatenated(ones, {2, 3, 1, 2})),
                    concatenated({1, 2, 1}, concatenated(ones, {1, 2, 3, 1}))};
    const ElementType type = widths[turn++ % widths.size()].front();
    follows = false;
    add(type, call, Placement::Guard::after);
    for (const Step& other : with_neighbouring_axes_exchanged(call)) {
      add(type, other, Placement::Guard::after);
      add(type, call, Placement::Guard::after);
    }
  }
  for (std::size_t axes = 7; axes <= 16; ++axes) {
    const ElementType type = widths[turn++ % widths.size()].back();
    follows = false;
    for (const Step& step : with_last_numbers_exchanged(axes))
      add(type, step, Placement::Guard::after);
  }
}

namespace {

// [CT-CLAIM] Adds a call of a type that the second definition refuses after the same call of the first one,
// which takes the type: what one has prepared is not for the other.
void add_types_of_one_alone(const Scope& first, const Scope& second, Cases& cases) {
  std::vector<ElementType> types = first.types();
  std::erase_if(types, [&](ElementType type) { return second.in_text(type); });
  if (types.size() > 2) types.erase(types.begin() + 1, types.end() - 1);
  for (const ElementType type : types) {
    Sink taking(first, cases), refusing(second, cases);
    const Draft draft{.type = type, .shape = {2, 3}, .repeats = {1, 2}};
    taking.add(draft);
    refusing.add_following(
        spelled_case(second.definition(), type, draft.shape, second.repeats_types().front(), {"1", "2"}));
    taking.add_following(draft);
  }
}

}  // namespace

void add_changes_of_definition(const std::vector<Scope>& scopes, Cases& cases) {
  cases.begin(Generator::walks);
  // Calls that the definitions answer alike, and calls that some refuse.
  const std::vector<Step> calls{{{2, 3}, {3, 2}}, {{3}, {-1}}, {{3}, {2, 2}}, {{2, 3}, {2}},
                                {{3}, {0}},       {{}, {2}},   {{0}, {-2}},   {{2, 1}, {1, 3}}};
  std::uint64_t seed = 9000;
  for (const Scope& first : scopes)
    for (const Scope& second : scopes) {
      if (&first == &second || has_axis(first.definition()) != has_axis(second.definition())) continue;
      if (!has_axis(first.definition())) add_types_of_one_alone(first, second, cases);
      for (const ElementType type : {first.types().front(), first.types().back(), second.types().back()}) {
        if (std::ranges::find(second.types(), type) == second.types().end() ||
            std::ranges::find(first.types(), type) == first.types().end())
          continue;
        for (const Step& call : calls) {
          bool follows = false;
          ++seed;
          for (const Scope* scope : {&first, &second, &first}) {
            Sink sink(*scope, cases);
            const Draft draft{.type = type,
                              .shape = call.shape,
                              .repeats = call.repeats,
                              .fill = {Fill::Kind::bits, follows && scope == &first ? ++seed : seed},
                              .placement = {.guard = Placement::Guard::after}};
            follows ? sink.add_following(draft) : sink.add(draft);
            follows = true;
          }
        }
      }
    }
}

}  // namespace certile::conformance
