#include "conformance/laws/laws.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/laws/each_law.hpp"

namespace certile::conformance {
namespace {

constexpr std::array table{
    Law{"tiling-by-ones", "tiling by ones is the identity", tiling_by_ones},
    Law{"tiling-twice", "tiling twice is tiling once by the products", tiling_twice},
    Law{"axis-order", "tiling axis by axis gives the same in every order of the axes", axis_order},
    Law{"periodic", "along every axis the answer repeats itself with the data's dimension", periodic},
    Law{"concatenation", "one more repeat is one more copy at the end of the axis", concatenation},
    Law{"kronecker", "the answer is Kronecker's product of ones with the data", kronecker},
    Law{"explicit-ones", "ones written out, in front or behind, change nothing but the rank", explicit_ones},
    Law{"permuted-axes", "permuting the axes before or after is the same", permuted_axes},
    Law{"reinterpreted-type", "the bits move alike, whatever type of the same width they are",
        reinterpreted_type},
    Law{"zero-repeats", "a repeat of zero on any axis makes that dimension zero, and no other", zero_repeats},
    Law{"any-placement", "where the buffers lie changes nothing", any_placement},
    Law{"concurrent-calls", "calls made at the same time answer as they do one by one", concurrent_calls},
};

// Returns true if the question is within the claim, because calls beyond it may be refused.
bool is_claimed(const Scope& scope, const Case& question) {
  const auto has = [](const std::vector<ElementType>& types, ElementType type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  return has(scope.types(), question.data.type()) && has(scope.repeats_types(), question.repeats.type()) &&
         (!question.axis || has(scope.repeats_types(), question.axis->type())) &&
         scope.within_limits(question);
}

// Finds the first of a broken law's calls that was answered wrongly.
Result<Done> find_wrong_call(const LawTrial& trial, const Law& law, const LawAsker& asker,
                             LawFinding& finding) {
  for (const auto& [call, seen] : trial.calls()) {
    const Case question = spelled_out(call);
    auto record = judged_by_oracles(question, seen, asker.claim(), asker.door());
    if (!record) return record.error();
    if (record->literal.size() <= longest_literal) finding.asked.push_back(planned_case(question));
    if (record->judged.verdict != Verdict::fail) continue;
    finding.record = *std::move(record);
    return Done{};
  }
  return Error{Error::Code::backend_failed, "the oracles and the law '" + std::string(law.name) +
                                                "' disagree about " + to_string(trial.question())};
}

}  // namespace

std::span<const Law> all_laws() noexcept {
  return table;
}

const Law* law_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(table, name, &Law::name);
  return found == table.end() ? nullptr : &*found;
}

Result<LawFinding> try_law(const Law& law, const Case& question, LawAsker& asker) {
  auto tiling = tiling_of(question);
  const auto output = tiling ? tiled_shape(question.data.type(), *tiling) : std::nullopt;
  if (!output || !is_claimed(asker.scope(question.definition), question))
    return LawFinding{.word = LawWord::does_not_apply};
  LawTrial trial(question, *std::move(tiling), *output, asker);
  law.try_on(trial);
  if (trial.failure()) return *trial.failure();
  LawFinding finding{.word = trial.word(), .evidence = trial.evidence(), .calls = trial.calls().size()};
  if (finding.word != LawWord::broken) return finding;
  if (const auto found = find_wrong_call(trial, law, asker, finding); !found) return found.error();
  return finding;
}

}  // namespace certile::conformance
