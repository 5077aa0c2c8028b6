#include "conformance/plan/chunks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/plan/budget.hpp"

namespace certile::conformance {
namespace {

// Returns the places of the cases of concurrent calls that belong to no sequence.
std::vector<std::size_t> places_of_concurrent_calls(const std::vector<PlannedCase>& cases) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < cases.size(); ++place) {
    const bool is_alone = !cases[place].follows && (place + 1 == cases.size() || !cases[place + 1].follows);
    if (cases[place].generator == Generator::threads && is_alone) places.push_back(place);
  }
  return places;
}

}  // namespace

std::size_t chunk_at(const Plan& plan, std::size_t place) noexcept {
  const std::size_t all = plan.cases.size();
  if (!plan.before_budget && all >= least_to_halve && all <= chunk_size) return place / ((all + 1) / 2);
  if (!plan.before_budget) return place / chunk_size;
  std::size_t chunk = 0;
  for (std::size_t end = end_of_chunk_of_budget(0); end <= place; end = end_of_chunk_of_budget(end))
    ++chunk;
  return chunk;
}

void begin_with_concurrent_calls(Plan& plan) {
  const std::vector<std::size_t> concurrent = places_of_concurrent_calls(plan.cases);
  if (concurrent.empty()) return;
  const std::size_t chunks = chunk_at(plan, plan.cases.size() - 1) + 1;
  const std::size_t count = std::min(chunks, concurrent.size());
  // They are spread over the plan's, so that definitions and types differ.
  std::vector<PlannedCase> first;
  std::vector<bool> is_taken(plan.cases.size());
  for (std::size_t index = 0; index < count; ++index) {
    const std::size_t place = concurrent[index * concurrent.size() / count];
    first.push_back(std::move(plan.cases[place]));
    is_taken[place] = true;
  }
  std::vector<PlannedCase> ordered;
  ordered.reserve(plan.cases.size());
  auto head = first.begin();
  const auto append_heads = [&] {
    const std::size_t place = ordered.size();
    const bool begins_chunk = place == 0 || chunk_at(plan, place) != chunk_at(plan, place - 1);
    if (begins_chunk && head != first.end()) ordered.push_back(std::move(*head++));
  };
  for (std::size_t place = 0; place < plan.cases.size(); ++place) {
    if (is_taken[place]) continue;
    append_heads();
    ordered.push_back(std::move(plan.cases[place]));
  }
  while (head != first.end())
    ordered.push_back(std::move(*head++));
  plan.cases = std::move(ordered);
}

}  // namespace certile::conformance
