#include "conformance/plan/tiers/cases.hpp"

#include <algorithm>
#include <utility>

namespace certile::conformance {

Cases::Cases(const std::atomic<bool>* interrupted)
    : interrupted_(interrupted), seen_(1 << 16, Hash{&cases_}, Equal{&cases_}, &memory_of_set_) {}

bool Cases::add(const Case& question, std::string_view cite) {
  if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) throw PlanInterrupted();
  std::string literal = to_string(question);
  const auto found = seen_.find(std::string_view(literal));
  const bool is_new = found == seen_.end();
  const std::size_t index = is_new ? cases_.size() : *found;
  if (is_new) {
    literal.shrink_to_fit();  // a tier has a million
    cases_.push_back({std::move(literal), {}, generator_});
    seen_.insert(index);
  }
  auto& cites = cases_[index].cites;
  if (!cite.empty() && std::find(cites.begin(), cites.end(), cite) == cites.end()) cites.push_back(cite);
  return is_new;
}

std::vector<PlannedCase> Cases::take() && {
  seen_.clear();
  return std::move(cases_);
}

}  // namespace certile::conformance
