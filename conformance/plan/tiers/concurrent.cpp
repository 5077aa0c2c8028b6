#include <cstdint>
#include <vector>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// A tiling whose last dimension is in bytes.
struct ConcurrentForm {
  Shape shape, repeats;
  int threads = 4;
};

// Adds the form with elements of `width` bits.
void add(Spread& spread, int width, const ConcurrentForm& form, std::uint64_t number) {
  Draft draft{.shape = form.shape,
              .repeats = form.repeats,
              .fill = revealing_fill(number),
              .placement = {.threads = form.threads}};
  // Packed rows end within a byte.
  draft.shape.back() = draft.shape.back() * 8 / width + (width < 8 ? 1 : 0);
  spread.add(width, draft);
}

}  // namespace

void add_large_concurrent(Spread& spread, LargeConcurrent wanted) {
  spread.begin(Generator::threads);
  // Outputs of 256 KiB to 1 MiB that a kernel divides among its own threads, which another call may keep
  // busy; of numbers of rows that no number of threads divides.  Packed elements have an eighth of that.
  const std::vector<ConcurrentForm> forms{{{4099, 64}, {1, 2}},      {{257, 1000}, {2, 1}},
                                          {{300'008}, {3}},          {{4801, 64}, {1, 1}},
                                          {{3, 5, 9080}, {2, 1, 3}}, {{131, 8}, {1, 1001}}};
  std::uint64_t number = 0;
  for (const int width : spread.widths()) {
    if (wanted == LargeConcurrent::one && width != 32) continue;
    for (ConcurrentForm form : forms) {
      const bool is_due = wanted == LargeConcurrent::one ? number == 0 : width == 32 || number % 4 == 0;
      if (width < 8) form.shape.front() = (form.shape.front() + 7) / 8;
      if (is_due) add(spread, width, form, number);
      ++number;
    }
    // More calls than there is room for, if room is counted in eights or sixteens; long enough for a thread
    // to lose its processor within a call.
    if (wanted == LargeConcurrent::several && (width == 4 || width == 8 || width == 32))
      add(spread, width, {{3, 6000}, {1, 3}, 24}, ++number);
  }
}

void add_concurrent_regimes(Spread& spread) {
  spread.begin(Generator::threads);
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
    spread.add(regime.width, {.shape = regime.shape,
                              .repeats = regime.repeats,
                              .fill = revealing_fill(++number),
                              .placement = {.threads = regime.threads}});
}

}  // namespace certile::conformance
