#include "property_tests/specimen.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <ostream>
#include <utility>

#include "conformance/plan/tiers/generators.hpp"

namespace certile::property_tests {
namespace {

// Returns numbers nearer to 1, which are simpler; zeroes and negative numbers are special, and kept while
// they matter.
std::vector<std::int64_t> simpler_numbers(std::int64_t number) {
  if (number == 1) return {};
  if (number == 0) return {1};
  if (number < 0) return number == -1 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, -1};
  std::vector<std::int64_t> simpler{1};
  if (number > 2) simpler.push_back(2);
  if (number > 5) simpler.push_back(number / 2);
  if (number > 3) simpler.push_back(number - 1);
  return simpler;
}

// Returns the rank of a type by simplicity.  Types other than the simplest are in the order of the
// enumeration.
std::size_t simplicity(ElementType type) {
  constexpr std::array simplest{ElementType::u8, ElementType::i32, ElementType::f32, ElementType::i64};
  const auto found = std::find(simplest.begin(), simplest.end(), type);
  if (found != simplest.end()) return static_cast<std::size_t>(found - simplest.begin());
  return simplest.size() + static_cast<std::size_t>(type);
}

// The results of one step from a draft.
class Steps {
 public:
  explicit Steps(const Draft& draft) : draft_(draft) {}

  std::vector<Draft> all(const Scope& scope) {
    simplify_placement();
    leave_out_axes();
    simplify_type(scope);
    if (draft_.fill != Fill{}) add([](Draft& it) { it.fill = {}; });
    if (draft_.fill.seed > 0) add([](Draft& it) { it.fill.seed /= 2; });
    if (draft_.variety != 0) add([](Draft& it) { it.variety = 0; });
    simplify_numbers(&Draft::repeats);
    simplify_numbers(&Draft::shape);
    simplify_axis();
    return std::move(steps_);
  }

 private:
  void add(const std::function<void(Draft&)>& change) {
    steps_.push_back(draft_);
    change(steps_.back());
  }

  void simplify_placement() {
    const Placement& placement = draft_.placement;
    if (placement != Placement{}) add([](Draft& it) { it.placement = {}; });
    if (placement.threads > 2) add([](Draft& it) { it.placement.threads = 2; });
    const int width = is_packed(draft_.type) ? 1 : std::max(bits(draft_.type) / 8, 1);
    if (placement.output_offset) add([](Draft& it) { it.placement.output_offset.reset(); });
    if (placement.offset > width) add([width](Draft& it) { it.placement.offset = width; });
  }

  // Leaves out an axis with its repeat, which promotion counts from the back; then a repeat or a dimension
  // alone.
  void leave_out_axes() {
    const std::size_t rank = draft_.shape.size();
    const std::size_t repeats = draft_.repeats.size();
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const bool has_repeat = !draft_.axis && axis + repeats >= rank;
      if (has_repeat) {
        add([&](Draft& it) {
          it.shape.erase(it.shape.begin() + static_cast<std::ptrdiff_t>(axis));
          it.repeats.erase(it.repeats.begin() + static_cast<std::ptrdiff_t>(axis + repeats - rank));
        });
      }
    }
    for (std::size_t axis = 0; axis < rank; ++axis) {
      add([&](Draft& it) {
        it.shape.erase(it.shape.begin() + static_cast<std::ptrdiff_t>(axis));
        if (it.axis && *it.axis > static_cast<std::int64_t>(axis)) --*it.axis;
      });
    }
    for (std::size_t place = 0; place < repeats && !draft_.axis; ++place)
      add([&](Draft& it) { it.repeats.erase(it.repeats.begin() + static_cast<std::ptrdiff_t>(place)); });
  }

  void simplify_type(const Scope& scope) {
    std::vector<ElementType> types;
    for (const ElementType type : scope.types())
      if (simplicity(type) < simplicity(draft_.type)) types.push_back(type);
    std::ranges::sort(types, std::less<>{}, simplicity);
    for (const ElementType type : types) {
      // An offset is a multiple of the element's bytes.
      const int width = std::max(bits(type) / 8, 1);
      const Placement& placement = draft_.placement;
      if (placement.offset % width != 0 || placement.output_offset.value_or(0) % width != 0) continue;
      add([type](Draft& it) { it.type = type; });
    }
  }

  void simplify_numbers(Shape Draft::*numbers) {
    for (std::size_t place = 0; place < (draft_.*numbers).size(); ++place)
      for (const std::int64_t number : simpler_numbers((draft_.*numbers)[place]))
        add([&](Draft& it) { (it.*numbers)[place] = number; });
  }

  void simplify_axis() {
    if (!draft_.axis || *draft_.axis == 0) return;
    add([](Draft& it) { it.axis = 0; });
    const auto rank = static_cast<std::int64_t>(draft_.shape.size());
    if (*draft_.axis < 0 && *draft_.axis + rank > 0) add([rank](Draft& it) { *it.axis += rank; });
  }

  const Draft& draft_;
  std::vector<Draft> steps_;
};

// Returns the same question for another form of definition: repeats for each axis, or tiles along one.
Draft in_other_words(const Draft& draft) {
  Draft other = draft;
  if (!draft.axis) return other;
  const auto rank = static_cast<std::int64_t>(draft.shape.size());
  const std::int64_t axis = *draft.axis < 0 ? *draft.axis + rank : *draft.axis;
  other.axis.reset();
  other.repeats.assign(draft.shape.size(), 1);
  if (axis >= 0 && axis < rank) other.repeats[static_cast<std::size_t>(axis)] = draft.repeats.front();
  return other;
}

}  // namespace

void showValue(const Specimen& specimen, std::ostream& out) {
  out << to_string(specimen.question);
}

Specimens::Specimens(const backends::Claim& claim) {
  for (const DefinitionId definition : all_definitions()) {
    Scope scope(definition, claim);
    if (!scope.empty()) scopes_.push_back(std::move(scope));
  }
}

Specimen Specimens::draw(Random& random, int size) const {
  constexpr double bytes_per_square = 4;
  const double most_bytes = 64 + bytes_per_square * size * size;
  for (;;) {
    Specimen specimen;
    specimen.scope = static_cast<std::size_t>(random.below(scopes_.size()));
    const Scope& scope = scopes_[specimen.scope];
    specimen.draft = conformance::random_draft(random, scope, true, most_bytes);
    // Narrow limits of a claim admit few drafts; a scalar is always admitted.
    std::vector<Case> cases = scope.cases_of(specimen.draft);
    if (cases.empty()) continue;
    specimen.question = std::move(cases.front());
    return specimen;
  }
}

std::vector<Specimen> Specimens::simpler(const Specimen& specimen) const {
  std::vector<Specimen> found;
  const auto keep = [&](std::size_t index, Draft draft) {
    const Scope& scope = scopes_[index];
    if (std::ranges::find(scope.types(), draft.type) == scope.types().end()) return;
    std::vector<Case> cases = scope.cases_of(draft);
    if (cases.size() == 1 && cases.front() != specimen.question)
      found.push_back({index, std::move(draft), std::move(cases.front())});
  };
  for (std::size_t index = 0; index < specimen.scope; ++index)
    if (!has_axis(scopes_[index].definition())) keep(index, in_other_words(specimen.draft));
  for (Draft& draft : Steps(specimen.draft).all(scopes_[specimen.scope]))
    keep(specimen.scope, std::move(draft));
  return found;
}

backends::Claim claim_of_everything() {
  backends::Claim claim;
  claim.name = "everything";
  claim.definitions = all_definitions();
  claim.types = TypeSet::all();
  claim.repeats_types = claim.types;
  return claim;
}

}  // namespace certile::property_tests
