#include "conformance/plan/tiers/kernel_cases.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// Returns the types of the width that suit.
std::vector<ElementType> types_of(const Scope& scope, int width, bool (*suits)(ElementType type)) {
  std::vector<ElementType> found;
  for (const std::vector<ElementType>& types : scope.widths())
    if (types.front() != ElementType::string && bits(types.front()) == width)
      std::ranges::copy_if(types, std::back_inserter(found), suits);
  return found;
}

bool any(ElementType) {
  return true;
}

}  // namespace

KernelCases::KernelCases(const std::vector<Scope>& scopes, Cases& cases) : cases_(cases) {
  std::set<int> widths;
  for (const Scope& scope : scopes) {
    (has_axis(scope.definition()) ? with_axis_ : with_all_repeats_).push_back(&scope);
    for (const auto& types : scope.widths())
      if (types.front() != ElementType::string) widths.insert(bits(types.front()));
  }
  widths_.assign(widths.begin(), widths.end());
}

void KernelCases::add(int width, Draft draft) {
  add_suited(width, std::move(draft), any);
}

void KernelCases::add_real(int width, Draft draft) {
  add_suited(width, std::move(draft), is_real);
}

void KernelCases::add_suited(int width, Draft draft, Suits suits) {
  ++number_;
  const bool is_along_one_axis =
      std::ranges::count_if(draft.repeats, [](std::int64_t repeat) { return repeat != 1; }) <= 1;
  add_under(with_all_repeats_, width, draft, suits);
  if (with_all_repeats_.empty() || (is_along_one_axis && number_ % 4 == 0))
    add_under(with_axis_, width, draft, suits);
}

void KernelCases::add_under(const std::vector<const Scope*>& scopes, int width, Draft& draft, Suits suits) {
  std::vector<const Scope*> fitting;
  for (const Scope* scope : scopes)
    if (!types_of(*scope, width, suits).empty()) fitting.push_back(scope);
  if (fitting.empty()) return;
  const std::uint64_t choice = mix(number_);
  const Scope& scope = *fitting[choice % fitting.size()];
  const std::vector<ElementType> types = types_of(scope, width, suits);
  draft.type = types[(choice >> 16) % types.size()];
  draft.variety = choice >> 32;
  Sink(scope, cases_).add(draft);
}

}  // namespace certile::conformance
