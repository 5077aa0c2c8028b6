#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/kernel_cases.hpp"
#include "conformance/plan/tiers/random_cases.hpp"

namespace certile::conformance {

namespace {

// [CT-BOUNDS] [CT-PLACE] Returns whole rows, of as many bits as bytes and vectors have; tails after one and
// several vectors; one element; no element.
const std::vector<Form>& forms() {
  static const std::vector<Form> all{
      {{9}, {1}},
      {{3, 5}, {2, 3}},
      {{1}, {1}},
      {{67}, {1}},
      {{33}, {3}},
      {{5, 17}, {1, 2}},
      {{7, 1}, {1, 65}},
      {{3, 129}, {2, 1}},
      {{16}, {1}},
      {{3, 64}, {1, 2}},
      {{2, 3, 5}, {1, 6, 7}},
      {{1}, {257}},
      {{3, 0}, {2, 1}},
      {{3, 2}, {1, 0}},
      {{11, 1, 3}, {2, 5, 1}},
      {{513}, {2}},
      {{3, 5, 2, 1}, {1, 1, 3, 7}},
      {{1031}, {3}},
  };
  return all;
}

// Returns the offsets that are a multiple of the element's bytes; packed types have any offset.
std::vector<int> offsets(ElementType type, bool every) {
  const int bytes = is_packed(type) ? 1 : std::max(bits(type) / 8, 1);
  std::vector<int> fit;
  for (int offset = 1; offset < 64; ++offset) {
    const bool wanted = every || offset == 1 || offset == 2 || offset == 3 || offset == 4 || offset == 8 ||
                        offset == 16 || offset == 32 || offset == 48 || offset == 63;
    if (wanted && offset % bytes == 0) fit.push_back(offset);
  }
  return fit;
}

void add_placed(Sink& sink, Draft draft, const std::vector<int>& at) {
  using Guard = Placement::Guard;
  for (const Guard guard : {Guard::before, Guard::after}) {
    draft.placement = {.guard = guard};
    sink.add(draft);
  }
  for (const int offset : at) {
    draft.placement = {.offset = offset};
    sink.add(draft);
  }
}

}  // namespace

void add_placements(Sink& sink, Placements placements) {
  sink.begin(Generator::placements);
  const std::size_t count = placements == Placements::few    ? 2
                            : placements == Placements::some ? 10
                                                             : forms().size();
  std::uint64_t number = 0;
  for (const ElementType type : sink.scope().types()) {
    std::vector<int> at = offsets(type, placements == Placements::all);
    // The shortest tier has one offset for each type, a different one each time.
    if (placements == Placements::few && !at.empty()) at = {at[number % at.size()]};
    for (std::size_t form = 0; form < count; ++form) {
      Draft draft{.type = type, .shape = forms()[form].shape, .repeats = forms()[form].repeats};
      if (++number % 2) draft.fill = {Fill::Kind::bits, number};
      add_placed(sink, draft, at);
    }
  }
}

namespace {

// Adds more packed elements than a kernel unpacks in an array on the stack.
void add_packed_threads(Sink& sink) {
  for (const auto& types : sink.scope().widths())
    if (bits(types.front()) < 8)
      sink.add(
          Draft{.type = types.front(), .shape = {5, 301}, .repeats = {2, 2}, .placement = {.threads = 4}});
}

}  // namespace

void add_few_threads(Sink& sink) {
  sink.begin(Generator::threads);
  const auto& widths = sink.scope().widths();
  for (const int threads : {2, 16})
    for (const ElementType type : {widths.front().front(), widths.back().front()})
      if (threads == 2 || type == ElementType::string)
        sink.add(Draft{.type = type, .shape = {7, 33}, .repeats = {2, 3}, .placement = {.threads = threads}});
  add_packed_threads(sink);
  // [CT-REFUSE] a number of elements that does not fit
  const std::int64_t other = has_axis(sink.scope().definition()) ? 1 : 2;
  for (const int threads : {3, 16})
    sink.add(Draft{.type = sink.scope().types().front(),
                   .shape = {3, 2},
                   .repeats = {std::int64_t{1} << 62, other},
                   .placement = {.threads = threads}});
}

void add_threads(Sink& sink, int shapes) {
  sink.begin(Generator::threads);
  // [CT-THREADS] rows long enough for concurrent calls to overlap; one element; no element
  const std::vector<Form> all{
      {{7, 33}, {2, 3}}, {{5, 65}, {1, 2}}, {{3, 1}, {1, 67}},      {{257}, {3}},
      {{65, 3}, {3, 1}}, {{1}, {1}},        {{2, 3, 5}, {3, 1, 7}}, {{3, 0}, {2, 1}},
  };
  std::uint64_t number = 0;
  for (const auto& types : sink.scope().widths())
    for (int form = 0; form < shapes; ++form, ++number) {
      Draft draft{.type = types[number % types.size()],
                  .shape = all[static_cast<std::size_t>(form)].shape,
                  .repeats = all[static_cast<std::size_t>(form)].repeats,
                  .placement = {.threads = number % 2 ? 4 : 2}};
      sink.add(draft);
    }
  add_packed_threads(sink);
  // Outputs that a kernel divides among its own threads, and ranks beyond the usual arrays.
  const std::vector<Form> wide{{{8, 8192}, {1, 1}},
                               {{16, 8192}, {1, 2}},
                               {{2, 3, 1, 2, 1, 3, 2}, {1, 2, 3, 1, 2, 1, 2}},
                               {{2, 1, 2, 1, 2, 1, 2, 1, 3}, {2, 1, 3, 1, 2, 1, 1, 2, 1}}};
  for (const Form& form : wide)
    sink.add(Draft{.type = sink.scope().widths().front().front(),
                   .shape = form.shape,
                   .repeats = form.repeats,
                   .placement = {.threads = 4}});
  // Blocks of some hundred bytes, often repeated: a kernel stages them in scratch memory.
  for (const auto& types : sink.scope().widths())
    for (const std::int64_t bytes : {300, 1200})
      if (const int width = bits(types.front()); width == 8 || width == 32)
        sink.add(Draft{.type = types.front(),
                       .shape = {3, bytes * 8 / width},
                       .repeats = {5, 9},
                       .placement = {.threads = 4}});
  // More calls than there is room for, if room is counted in eights.
  sink.add(Draft{.type = sink.scope().widths().back().front(),
                 .shape = {5, 7},
                 .repeats = {2, 3},
                 .placement = {.threads = 17}});
}

namespace {

// [CT-STEADY] Adds calls that a cache keyed by the operands' addresses would confuse: calls of one type in a
// row, all runs of which have their operands at the same end of their memory.
void add_state_at_one_place(Sink& sink, std::uint64_t seed) {
  const std::vector<Form> calls{
      {{3}, {2}},
      {{3}, {2}},
      {{3}, {5}},
      {{5}, {3}},
      {{6, 5}, {7, 2}},
      {{5, 6}, {2, 7}},
      {{5, 6}, {7, 2}},
      {{5, 6}, {7, 2}},
      {{3, 5, 7}, {1, 2, 6}},
      {{3, 5, 7}, {6, 1, 2}},
      {{7, 3, 5}, {2, 6, 1}},
      {{65, 33}, {2, 1}},
      {{65, 33}, {2, 1}},
      {{33, 65}, {1, 2}},
  };
  std::uint64_t turn = 0;
  for (const auto& types : sink.scope().widths())
    for (const Placement::Guard guard : {Placement::Guard::after, Placement::Guard::before}) {
      const ElementType type = types[turn++ % types.size()];
      for (const Form& call : calls) {
        const Draft draft{.type = type,
                          .shape = call.shape,
                          .repeats = call.repeats,
                          .fill = {Fill::Kind::bits, ++seed},
                          .placement = {.guard = guard}};
        &call == &calls.front() ? sink.add(draft) : sink.add_following(draft);
      }
    }
}

}  // namespace

void add_state(Sink& sink) {
  sink.begin(Generator::state);
  // [CT-STEADY] each call differs in a way that a cache of the last one would miss: other repeats, another
  // shape with the same product, another rank, no elements, a refusal; and after each the first call again.
  const Form first{{3}, {2}};
  const std::vector<Form> others{
      {{3}, {5}},
      {{2}, {3}},
      {{6}, {1}},
      {{3, 2}, {1, 5}},
      {{2, 3}, {5, 1}},
      {{3}, {0}},
      {{0}, {2}},
      {{1, 3}, {2, 1}},
      {{257}, {3}},
      {{1}, {6}},
      {{3}, {-1}},
      {{3, 1}, {1, 2}},
      {{3, 5, 7}, {1, 2, 1}},
      {{5, 3, 7}, {2, 1, 1}},
      {{7, 5, 3}, {1, 1, 2}},
  };
  std::uint64_t seed = 1000;  // a literal occurs once in a plan, so the first call returns with other data
  for (const auto& types : sink.scope().widths())
    for (std::size_t turn = 0; turn < others.size(); ++turn) {
      bool follows = false;
      for (const Form* form : {&first, &others[turn], &first}) {
        const Draft draft{.type = types[turn % types.size()],
                          .shape = form->shape,
                          .repeats = form->repeats,
                          .fill = {Fill::Kind::bits, ++seed}};
        follows ? sink.add_following(draft) : sink.add(draft);
        follows = true;
      }
    }
  add_state_at_one_place(sink, seed);
}

namespace {

// Returns tilings of rows of 64 bytes and more, in elements of the width, so that aligned loads and stores
// are worth it.
std::array<Form, 5> forms(int width) {
  const std::int64_t line = std::max<std::int64_t>(512 / width, 1);
  return {{
      {{2 * line + 3}, {1}},
      {{line + 1}, {3}},
      {{3, 2 * line}, {2, 1}},
      {{3, line}, {1, 2}},
      {{2, 3 * line + 5}, {1, 2}},
  }};
}

}  // namespace

void add_alignments(KernelCases& kernel, Lengths lengths) {
  kernel.begin(Generator::alignments);
  constexpr int line = 64;
  std::uint64_t number = 0;
  for (const int width : kernel.widths()) {
    const int bytes = std::max(width / 8, 1);
    // Bytes meet all pairs, and so do wider elements, which have fewer; packed ones meet every seventh.
    const std::uint64_t every = (width < 8 ? 7 : 1) * (lengths == Lengths::every ? 1 : 16);
    for (int input = 0; input < line; input += bytes)
      for (int output = 0; output < line; output += bytes) {
        const std::uint64_t choice = mix(++number);
        if (input == output || choice % every != 0) continue;
        const Form form = forms(width)[(choice >> 8) % 5];
        kernel.add(width, {.shape = form.shape,
                           .repeats = form.repeats,
                           .fill = revealing_fill(number),
                           .placement = {.offset = input, .output_offset = output}});
      }
  }
}

namespace {

// Returns a number from `least` to `most`, all powers of two between them equally likely.
std::int64_t draw_magnitude(Random& random, std::int64_t least, std::int64_t most) {
  const std::int64_t low = std::countr_zero(std::bit_floor(static_cast<std::uint64_t>(least)));
  const std::int64_t high = std::countr_zero(std::bit_floor(static_cast<std::uint64_t>(most)));
  const std::int64_t power = std::int64_t{1} << random.between(low, high);
  return std::clamp(power + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(power))), least,
                    most);
}

// Returns a dimension or a repeat: mostly small, sometimes anything that is left.
std::int64_t draw_number(Random& random, std::int64_t left) {
  const std::uint64_t kind = random.below(10);
  if (kind < 5) return std::min<std::int64_t>(random.between(2, 9), left);
  if (kind < 8) return std::min<std::int64_t>(random.between(10, 70), left);
  return draw_magnitude(random, 1, left);
}

// Moves the number to a neighbour of a power of two, or leaves it where it is.
std::int64_t near_a_power(Random& random, std::int64_t number) {
  if (number < 8 || random.chance(60)) return number;
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(number)));
  return power + random.between(-1, 1);
}

// Draws shape and repeats whose output has about `count` elements.  One of all dimensions and repeats takes
// what the others leave, whichever it is, so that each of them becomes large.
Draft draw_tiling(Random& random, std::int64_t count) {
  const auto axes = static_cast<std::size_t>(random.between(1, 5));
  Draft draft{.shape = Shape(axes, 1), .repeats = Shape(axes, 1)};
  std::vector<std::int64_t*> numbers;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (random.chance(75)) numbers.push_back(&draft.shape[axis]);
    if (random.chance(50)) numbers.push_back(&draft.repeats[axis]);
  }
  if (numbers.empty()) numbers.push_back(&draft.shape.back());
  const auto last = static_cast<std::size_t>(random.below(numbers.size()));
  std::swap(numbers[last], numbers.back());
  std::int64_t left = count;
  for (std::int64_t* number : numbers) {
    *number = number == numbers.back() ? near_a_power(random, left) : draw_number(random, left);
    left = std::max<std::int64_t>(left / *number, 1);
  }
  return draft;
}

Placement draw_place(Random& random, int width) {
  const std::uint64_t kind = random.below(20);
  if (kind == 0) return {.guard = Placement::Guard::before};
  if (kind == 1) return {.guard = Placement::Guard::after};
  if (kind >= 7) return {};
  const int bytes = std::max(width / 8, 1);
  const auto offset = [&] {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(64 / bytes))) * bytes;
  };
  Placement placement{.offset = offset()};
  if (const int output = offset(); output != placement.offset) placement.output_offset = output;
  return placement;
}

}  // namespace

void add_mixed_sizes(KernelCases& kernel, const MixedSizes& wanted) {
  kernel.begin(Generator::mixed_sizes);
  Random random(0x51'7e5 + static_cast<std::uint64_t>(wanted.most));
  for (int number = 0; number < wanted.count; ++number)
    for (const int width : kernel.widths()) {
      // Packed elements are taken apart and put together one by one, by kernels and by certile.
      const std::int64_t bytes = draw_magnitude(
          random, wanted.least, width < 8 ? std::max(wanted.most / 128, wanted.least) : wanted.most);
      Draft draft = draw_tiling(random, bytes * 8 / width);
      draft.fill = random.chance(4) ? Fill{Fill::Kind::zero, 0} : revealing_fill(random.next());
      draft.placement = draw_place(random, width);
      kernel.add(width, draft);
    }
}

}  // namespace certile::conformance
