#include "conformance/run/chunks.hpp"

namespace certile::conformance {

std::size_t chunk_of(const Plan& plan, const PlannedCase& planned) noexcept {
  const auto place = static_cast<std::size_t>(&planned - plan.cases.data());
  const std::size_t all = plan.cases.size();
  if (!plan.before_budget && all >= least_to_halve && all <= chunk_size) return place / ((all + 1) / 2);
  if (!plan.before_budget) return place / chunk_size;
  std::size_t chunk = 0;
  for (std::size_t end = end_of_chunk_of_budget(0); end <= place; end = end_of_chunk_of_budget(end))
    ++chunk;
  return chunk;
}

std::size_t piece_of(const Plan& plan, const PlannedCase& planned, int shards) noexcept {
  return chunk_of(plan, planned) / static_cast<std::size_t>(shards);
}

std::vector<std::span<const PlannedCase* const>> pieces_of(const Plan& plan, const Share& share, int shards) {
  std::vector<std::span<const PlannedCase* const>> pieces;
  const std::span<const PlannedCase* const> all(share);
  const auto piece_at = [&](std::size_t index) { return piece_of(plan, *share[index], shards); };
  for (std::size_t begin = 0, end = 0; begin < share.size(); begin = end) {
    while (end < share.size() && piece_at(end) == piece_at(begin))
      ++end;
    pieces.push_back(all.subspan(begin, end - begin));
  }
  return pieces;
}

}  // namespace certile::conformance
