#include "conformance/cli/claim_proposal.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/judge/judge.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile::conformance {
namespace {

using Asked = ClaimProposal::Asked;

// Returns the shape of the right answer, of a case that is answered with elements; null for others.
const Shape* shape_of(const Asked& asked) {
  const auto* answer = std::get_if<Answer>(&asked.expected);
  return answer == nullptr || asked.question.placement.shape_only ? nullptr : &answer->shape;
}

std::int64_t rank_of(const Asked& asked) {
  const Shape* shape = shape_of(asked);
  const std::size_t rank = shape == nullptr ? 0 : shape->size();
  return static_cast<std::int64_t>(std::max(rank, asked.question.data.shape().size()));
}

std::int64_t size_of(const Asked& asked) {
  const Shape* shape = shape_of(asked);
  return shape == nullptr ? 0 : element_count(*shape).value_or(0);
}

bool covers(const Claim& claim, const Asked& asked) {
  return inside_claim(claim, asked.question, asked.expected);
}

// A narrower claim, and whether it is narrower by a limit.
struct Narrower {
  Claim claim;
  bool by_limit = false;
};

// Returns every claim that is narrower by one name, or by a limit just below a case that does not work.
std::vector<Narrower> narrower_claims(const Claim& claim, const std::vector<const Asked*>& failing) {
  std::vector<Narrower> found;
  for (const DefinitionId each : claim.definitions) {
    Claim next = claim;
    std::erase(next.definitions, each);
    found.push_back({std::move(next)});
  }
  for (const ElementType each : claim.types) {
    Claim next = claim;
    next.types = next.types - TypeSet{each};
    found.push_back({std::move(next)});
  }
  for (const ElementType each : claim.repeats_types) {
    Claim next = claim;
    next.repeats_types = next.repeats_types - TypeSet{each};
    found.push_back({std::move(next)});
  }
  std::set<std::int64_t> ranks, sizes;
  for (const Asked* each : failing) {
    ranks.insert(rank_of(*each) - 1);
    sizes.insert(size_of(*each) - 1);
  }
  for (const std::int64_t rank : ranks) {
    Claim next = claim;
    next.max_rank = rank;
    if (rank > 0) found.push_back({std::move(next), true});
  }
  // Few of thousands of sizes are tried, and among them the largest, because limits are powers of two or
  // near.
  constexpr std::size_t most_sizes = 64;
  std::size_t number = 0;
  const std::size_t step = sizes.size() / most_sizes + 1;
  for (const std::int64_t size : sizes) {
    Claim next = claim;
    next.max_elements = size;
    if (size > 0 && number++ % step == 0) found.push_back({std::move(next), true});
  }
  return found;
}

// The numbers of cases that a narrower claim leaves out, and of those that remain in it.
struct Shares {
  double failing_out = 0, out = 0, failing_in = 0, in = 0;

  // Returns how well the narrower claim separates what fails from what works; 0 if it does not: a fault that
  // is found everywhere is no matter of the claim.
  double merit(bool by_limit) const {
    if (failing_out == 0 || in == 0) return 0;
    const double share = failing_out / out, left = failing_in / in;
    constexpr double clearly = 5, mostly = 0.9, half = 0.5;
    if (share < clearly * left || (by_limit && share < mostly)) return 0;
    if (share < half && out > 2 * in) return 0;
    return share * failing_out / (failing_out + failing_in);
  }
};

// Returns the claim that leaves most of what fails out, and little else; nothing if there is none.
std::optional<Claim> best_narrower(const Claim& claim, const std::vector<const Asked*>& inside,
                                   const std::vector<const Asked*>& failing) {
  std::optional<Claim> best;
  double most = 0;
  for (Narrower& each : narrower_claims(claim, failing)) {
    Shares shares;
    for (const Asked* asked : inside) {
      const bool is_in = covers(each.claim, *asked);
      (is_in ? shares.in : shares.out) += 1;
      if (!asked->works) (is_in ? shares.failing_in : shares.failing_out) += 1;
    }
    const double merit = shares.merit(each.by_limit);
    if (merit <= most) continue;
    most = merit;
    best = std::move(each.claim);
  }
  return best;
}

}  // namespace

Claim widest_claim(const Claim& own) {
  Claim claim;
  claim.name = own.name;
  claim.version = own.version;
  claim.definitions = all_definitions();
  for (const ElementType type : all_element_types()) {
    claim.types.insert(type);
    claim.repeats_types.insert(type);
  }
  claim.infers = own.infers;
  return claim;
}

std::vector<std::string> limit_ladders(const Claim& claim) {
  std::vector<std::string> literals;
  for (const DefinitionId definition : claim.definitions) {
    const Scope scope(definition, claim);
    std::vector<ElementType> types;
    for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::i64})
      if (std::ranges::find(scope.types(), type) != scope.types().end()) types.push_back(type);
    if (types.empty() && !scope.empty()) types.push_back(scope.types().front());
    const auto ask = [&](const Draft& draft) {
      for (const Case& question : scope.cases_of(draft))
        literals.push_back(to_string(question));
    };
    for (const ElementType type : types) {
      for (std::size_t rank = 1; rank <= std::size_t{most_axes_asked}; ++rank) {
        Draft draft{.type = type, .shape = Shape(rank, 1), .repeats = Shape(rank, 1)};
        draft.shape.back() = 3;
        draft.repeats.front() = 2;
        ask(draft);
      }
      for (std::int64_t size = 2; size <= largest_size; size *= 2)
        ask({.type = type, .shape = {size / 2}, .repeats = {2}});
    }
  }
  return literals;
}

Result<Done> ClaimProposal::add(const PlannedCase& planned, const Record& record) {
  const Finding& finding = record.now();
  const bool is_answer = finding.verdict == Verdict::pass || finding.verdict == Verdict::fail ||
                         finding.verdict == Verdict::unsupported;
  if (!is_answer || !known_.emplace(planned.literal, asked_.size()).second) return Done{};
  Case question = planned.question();
  auto expected = expect_shape(question);
  if (!expected) return expected.error();
  const bool has_declined = finding.fault == Fault::claim || finding.fault == Fault::refused ||
                            finding.fault == Fault::failed || finding.fault == Fault::memory;
  asked_.push_back({std::move(question), planned.literal, *std::move(expected),
                    finding.verdict == Verdict::pass, finding.verdict == Verdict::fail && !has_declined,
                    finding.words.substr(0, finding.words.find('\n'))});
  return Done{};
}

std::vector<const Asked*> ClaimProposal::failing(const Claim& claim) const {
  std::vector<const Asked*> found;
  for (const Asked& each : asked_)
    if (!each.works && covers(claim, each)) found.push_back(&each);
  return found;
}

std::optional<Claim> ClaimProposal::claim(const Claim& widest) const {
  // Only what gave a right answer with elements is in the claim at all.
  Claim claim = widest;
  std::set<DefinitionId> definitions;
  TypeSet types, repeats_types;
  for (const Asked& each : asked_) {
    if (!each.works || size_of(each) == 0) continue;
    definitions.insert(each.question.definition);
    types.insert(each.question.data.type());
    repeats_types.insert(each.question.repeats.type());
  }
  std::erase_if(claim.definitions, [&](DefinitionId each) { return !definitions.contains(each); });
  claim.types = claim.types & types;
  claim.repeats_types = claim.repeats_types & repeats_types;
  for (;;) {
    if (claim.definitions.empty() || claim.types.empty() || claim.repeats_types.empty()) return std::nullopt;
    std::vector<const Asked*> inside;
    for (const Asked& each : asked_)
      if (covers(claim, each)) inside.push_back(&each);
    const auto left = failing(claim);
    auto next = left.empty() ? std::nullopt : best_narrower(claim, inside, left);
    if (!next) break;
    claim = *std::move(next);
  }
  std::int64_t rank = 0, size = 0;
  for (const Asked& each : asked_)
    if (each.works && shape_of(each) != nullptr && covers(claim, each)) {
      rank = std::max(rank, rank_of(each));
      size = std::max(size, size_of(each));
    }
  claim.max_rank = rank;
  claim.max_elements = size;
  return claim;
}

}  // namespace certile::conformance
