#include <algorithm>
#include <array>

#include "backends/plugin/status.hpp"
#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/random_cases.hpp"
#include "reference/oracle/definition.hpp"

namespace certile::conformance {
namespace {

std::int64_t draw_factor(Random& random) {
  const std::uint64_t kind = random.below(100);
  if (kind < 4) return 0;
  if (kind < 34) return 1;
  if (kind < 80) return random.between(2, 7);
  if (kind < 94) return random.between(8, 19);
  if (kind < 98) return random.between(20, 130);
  return random.between(131, 2000);
}

Shape draw_factors(Random& random, int length) {
  Shape factors;
  for (int index = 0; index < length; ++index)
    factors.push_back(draw_factor(random));
  return factors;
}

// Returns the bytes that the output may have: usually few, so that thousands of cases are cheap.
double draw_budget(Random& random) {
  const std::uint64_t kind = random.below(1000);
  if (kind < 700) return 2048;
  if (kind < 970) return 16384;
  return kind < 997 ? 65536 : 1 << 20;
}

// Reduces the largest factors until the product fits.  Zeros are not counted, so that a case is small even if
// they are ignored.
void keep_within(Draft& draft, double bytes) {
  const auto magnitude = [](std::int64_t factor) { return std::max<std::int64_t>(factor, 1); };
  for (;;) {
    double product = std::max(bits(draft.type), 1) / 8.0;
    std::int64_t* biggest = nullptr;
    for (Shape* factors : {&draft.shape, &draft.repeats})
      for (std::int64_t& factor : *factors) {
        product *= static_cast<double>(magnitude(factor));
        if (!biggest || factor > *biggest) biggest = &factor;
      }
    if (product <= bytes || !biggest || *biggest <= 1) return;
    *biggest = *biggest > 3 ? *biggest / 2 : 1;
  }
}

int draw_length_of_repeats(Random& random, DefinitionId definition, int rank) {
  const bool promotes = oracle::rules_of(definition).length == oracle::Length::any;
  if (promotes && random.chance(50))
    return static_cast<int>(std::clamp<std::int64_t>(rank + random.between(-3, 3), 0, 9));
  if (!promotes && random.chance(3)) return static_cast<int>(random.below(6));
  return rank;
}

Fill draw_fill(Random& random) {
  constexpr std::array kinds{Fill::Kind::index, Fill::Kind::bits, Fill::Kind::bits, Fill::Kind::special};
  Fill fill{kinds[static_cast<std::size_t>(random.below(kinds.size()))], 0};
  if (fill.kind == Fill::Kind::bits) fill.seed = random.below(1'000'000'000);
  if (fill.kind == Fill::Kind::special) fill.seed = random.below(100);
  return fill;
}

Placement draw_placement(Random& random, ElementType type, bool threads) {
  const std::uint64_t kind = random.below(1000);
  if (kind < 50) return {.guard = Placement::Guard::before};
  if (kind < 100) return {.guard = Placement::Guard::after};
  if (kind < 180) {
    const int bytes = is_packed(type) ? 1 : std::max(bits(type) / 8, 1);
    const auto offset = [&] {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(64 / bytes))) * bytes;
    };
    Placement placement{.offset = offset()};
    if (const int output = offset(); output != placement.offset) placement.output_offset = output;
    return placement;
  }
  if (kind < 200) return {.shape_only = true};
  if (threads && kind < 202) return {.threads = static_cast<int>(random.between(2, 8))};
  return {};
}

}  // namespace

Draft random_draft(Random& random, const Scope& scope, bool threads, double most_bytes) {
  Draft draft;
  draft.type = random.pick(scope.types());
  const int rank = static_cast<int>(random.chance(70) ? random.below(5) : random.below(9));
  draft.shape = draw_factors(random, rank);
  if (has_axis(scope.definition())) {
    draft.repeats = draw_factors(random, 1);
    draft.axis = random.chance(5) ? random.between(-rank - 2, rank + 1)
                                  : random.between(-rank, std::max(rank - 1, -rank));
  } else {
    draft.repeats = draw_factors(random, draw_length_of_repeats(random, scope.definition(), rank));
  }
  // Occasionally a negative repeat, which some definitions refuse and others count as 0.
  if (!draft.repeats.empty() && random.chance(4))
    draft.repeats[static_cast<std::size_t>(random.below(draft.repeats.size()))] = random.between(-5, -1);
  keep_within(draft, std::min(draw_budget(random), most_bytes));
  draft.fill = draw_fill(random);
  draft.variety = random.next();
  draft.placement = draw_placement(random, draft.type, threads);
  return draft;
}

void add_random(Sink& sink, const RandomCases& wanted) {
  sink.begin(Generator::random);
  // Each definition draws its own random numbers, by its number in the C header, so that its cases depend
  // neither on the other claimed definitions nor on later ones.
  Random random(wanted.seed ^ mix(backends::c_code(sink.scope().definition()) - 1));
  const std::size_t goal = sink.size() + static_cast<std::size_t>(std::max<std::int64_t>(wanted.count, 0));
  // Duplicates and cases beyond the claim are drawn again; a narrow claim may not have enough cases.
  for (std::int64_t attempt = 0; attempt < 4 * wanted.count && sink.size() < goal; ++attempt)
    sink.add(random_draft(random, sink.scope(), wanted.threads));
}

}  // namespace certile::conformance
