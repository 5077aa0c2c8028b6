#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/kernel_cases.hpp"

namespace certile::conformance {

namespace {

// A tiling whose last dimension is in bytes.
struct ConcurrentForm {
  Shape shape, repeats;
  int threads = 4;
};

// Adds the form with elements of `width` bits.
void add(KernelCases& kernel, int width, const ConcurrentForm& form, std::uint64_t number) {
  Draft draft{.shape = form.shape,
              .repeats = form.repeats,
              .fill = revealing_fill(number),
              .placement = {.threads = form.threads}};
  // Packed rows end within a byte.
  draft.shape.back() = draft.shape.back() * 8 / width + (width < 8 ? 1 : 0);
  kernel.add(width, draft);
}

}  // namespace

void add_large_concurrent(KernelCases& kernel, LargeConcurrent wanted) {
  kernel.begin(Generator::threads);
  // Outputs of 256 KiB to 1 MiB that a kernel divides among its own threads, which another call may keep
  // busy; of numbers of rows that no number of threads divides.  Packed elements have an eighth of that.
  const std::vector<ConcurrentForm> forms{{{4099, 64}, {1, 2}},      {{257, 1000}, {2, 1}},
                                          {{300'008}, {3}},          {{4801, 64}, {1, 1}},
                                          {{3, 5, 9080}, {2, 1, 3}}, {{131, 8}, {1, 1001}}};
  std::uint64_t number = 0;
  for (const int width : kernel.widths()) {
    if (wanted == LargeConcurrent::one && width != 32) continue;
    for (ConcurrentForm form : forms) {
      const bool is_due = wanted == LargeConcurrent::one ? number == 0 : width == 32 || number % 4 == 0;
      if (width < 8) form.shape.front() = (form.shape.front() + 7) / 8;
      if (is_due) add(kernel, width, form, number);
      ++number;
    }
    // More calls than there is room for, if room is counted in eights or sixteens; long enough for a thread
    // to lose its processor within a call.
    if (wanted == LargeConcurrent::several && (width == 4 || width == 8 || width == 32))
      add(kernel, width, {{3, 6000}, {1, 3}, 24}, ++number);
  }
}

void add_concurrent_regimes(KernelCases& kernel) {
  kernel.begin(Generator::threads);
  struct Regime {
    int width;
    Shape shape, repeats;
    int threads;
  };
  // Each way of copying: one element, short rows, rows, all of the data, several axes, packed elements.  The
  // calls of sixteen threads are the first ones of their process.
  const std::vector<Regime> regimes{
      {32, {1}, {1027}, 3},
      {8, {1, 1}, {33, 7}, 16},
      {16, {5}, {601}, 3},
      {8, {3, 2}, {1, 150}, 16},
      {32, {9, 65}, {1, 3}, 3},
      {8, {33, 100}, {1, 2}, 16},
      {64, {7, 33}, {5, 1}, 3},
      {8, {501}, {3}, 16},
      {32, {3, 5, 7}, {2, 3, 2}, 3},
      {16, {2, 3, 1, 2, 5}, {2, 1, 3, 2, 2}, 16},
      {4, {61, 3}, {3, 2}, 3},
      {1, {5, 33}, {2, 3}, 16},
      // Numbers of calls after which there is no room for more, if room is a power of two.
      {32, {5, 70}, {1, 2}, 17},
      {8, {7, 9}, {3, 1}, 33},
      {32, {1}, {67}, 64},
  };
  std::uint64_t number = 0;
  for (const Regime& regime : regimes)
    kernel.add(regime.width, {.shape = regime.shape,
                              .repeats = regime.repeats,
                              .fill = revealing_fill(++number),
                              .placement = {.threads = regime.threads}});
}

namespace {
constexpr int few_calls = 1'000;
constexpr int some_calls = 20'000;     // a leak that they begin to show is watched for longer
constexpr int calls_of_text = 70'000;  // more than 16 bits count, in which rings of characters come round
}  // namespace

void add_soaks(Sink& sink, int calls, bool every_width) {
  sink.begin(Generator::soaks);
  // [CT-LEAK] calls that take the shortest ways through a kernel: a few elements, because it is their number
  // that counts; one that is refused, because what was begun has to be freed there
  const Shape shape{2, 3}, repeats{2, 1};
  std::uint64_t number = 0;
  for (const auto& types : sink.scope().widths()) {
    // Kernels treat packed rows that end within a byte separately, and so they do strings.
    const bool is_long = every_width || number < 2;
    const bool is_text = types.front() == ElementType::string, is_plain = number == 0 || is_text;
    sink.add(Draft{
        .type = types.front(),
        .shape = is_plain ? shape : Shape{3, 3},
        .repeats = is_plain ? repeats : Shape{2, 3},
        .fill = {Fill::Kind::bits, ++number},
        .placement = {.calls = is_long ? calls : std::min(calls, is_text ? calls_of_text : some_calls)}});
  }
  // Several axes that cannot be merged, which take scratch memory and plans.
  const std::vector<ElementType> first = sink.scope().widths().front();
  sink.add(Draft{.type = first.front(),
                 .shape = {2, 3, 2},
                 .repeats = {2, 2, 3},
                 .fill = {Fill::Kind::bits, ++number},
                 .placement = {.calls = std::min(calls, some_calls)}});
  // More axes than an array on the stack may have, with every type of repeats, which kernels may widen.
  Shape many(9, 1), twice(9, 1);
  many.back() = twice.front() = 2;
  for (const std::uint64_t variety : {0U, 1U, 2U})
    sink.add(Draft{.type = first.front(),
                   .shape = many,
                   .repeats = twice,
                   .fill = {Fill::Kind::bits, ++number},
                   .placement = {.calls = std::min(calls, some_calls)},
                   .variety = variety});
  // Data of some hundred bytes and some KiB, which a cache of results may know by their ends.
  for (const std::int64_t bytes : {256, 3000})
    sink.add(Draft{.type = first.front(),
                   .shape = {4, 4, bytes / 2 / bits(first.front())},
                   .repeats = {2, 2, 3},
                   .fill = {Fill::Kind::bits, ++number},
                   .placement = {.calls = few_calls}});
  // Nothing to write; enough for a pool of threads; and, where there is time, for memory from the system.
  sink.add(Draft{.type = first.front(), .shape = {0, 3}, .repeats = {2, 1}, .placement = {.calls = calls}});
  const auto add_rows = [&](std::int64_t rows, Shape copies) {
    constexpr std::int64_t bits_of_row = std::int64_t{8192} * 8;
    sink.add(Draft{.type = first.front(),
                   .shape = {rows, bits_of_row / bits(first.front())},
                   .repeats = std::move(copies),
                   .fill = {Fill::Kind::bits, ++number},
                   .placement = {.calls = few_calls}});
  };
  add_rows(8, {1, 1});
  if (calls > few_calls) add_rows(64, {2, 2});
  // Room in which large packed outputs are made, of elements that end within a byte.
  const auto is_nibble = [](const auto& types) { return bits(types.front()) == 4; };
  const auto& widths = sink.scope().widths();
  if (const auto nibbles = std::ranges::find_if(widths, is_nibble);
      calls > few_calls && nibbles != widths.end())
    sink.add(Draft{.type = nibbles->front(),
                   .shape = {1'100'001},
                   .repeats = {2},
                   .fill = {Fill::Kind::bits, ++number},
                   .placement = {.calls = few_calls}});
  // Scratch memory of some KiB, which a thread may keep until it ends; kernels unpack elements there.
  for (const auto& types : sink.scope().widths())
    if (calls > few_calls || is_nibble(types))
      sink.add(Draft{.type = types.front(),
                     .shape = {3, 8001 / bits(types.front()) | 1},
                     .repeats = {2, 3},
                     .fill = {Fill::Kind::bits, ++number},
                     .placement = {.calls = few_calls}});
  // An overflow of a dimension is refused by every definition, and so is one of the number of elements, which
  // is found later.
  const Scope& scope = sink.scope();
  if (scope.repeats_types().empty() || scope.repeats_types().front() != ElementType::i64) return;
  for (const char* repeat : {"4611686018427387904", "2147483648"}) {
    const std::vector<std::string> times(has_axis(scope.definition()) ? 1 : 2, repeat);
    Case refused = spelled_case(scope.definition(), scope.types().front(), shape, ElementType::i64, times);
    refused.placement.calls = std::min(calls, some_calls);
    sink.add(refused);
    if (has_axis(scope.definition())) return;  // the second repeat overflows along several axes only
  }
  // What was begun for more axes than an array on the stack has is freed, too.
  Shape long_shape(20, 1);
  std::vector<std::string> times(long_shape.size(), "1");
  long_shape.front() = long_shape.back() = 2;
  times.front() = times.back() = "2147483648";
  Case refused = spelled_case(scope.definition(), scope.types().front(), long_shape, ElementType::i64, times);
  refused.placement.calls = few_calls;
  sink.add(refused);
}

}  // namespace certile::conformance
