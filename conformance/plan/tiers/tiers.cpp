#include "conformance/plan/tiers/tiers.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/corpus.hpp"
#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/kernel_cases.hpp"
#include "conformance/text/digest.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

// Adds one case of a definition that is not claimed, to see how the implementation declines it.
void add_unclaimed(const Scope& scope, Cases& cases) {
  cases.begin(Generator::unclaimed);
  ElementType type = ElementType::f32;
  for (const ElementType claimed : scope.claim().types)
    if (scope.in_text(claimed)) {
      type = claimed;
      break;
    }
  const std::size_t length = has_axis(scope.definition()) ? 1 : 2;
  cases.add(spelled_case(scope.definition(), type, {2, 3}, ElementType::i64,
                         std::vector<std::string>(length, "2")));
}

// Adds the examples of every page, for the definitions in scope; each cites its clause.  Thus the texts' own
// examples are asked: [OV-T1-E1] [OV-T1-E2] [OV-T1-E3] [ONNX-T13-S4] [ONNX-T13-E1] [ONNX-T13-E2] [ONNX-T6-S4]
// [ONNX-T6-E1] [ONNX-T6-E2].
Result<Done> add_examples(const std::vector<Scope>& scopes, Cases& cases) {
  cases.begin(Generator::examples);
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses)
      for (const std::string& example : clause.examples) {
        const auto here = [&](const Error& error) {
          return Error{error.code, page.name + ".md: " + clause.id + ": " + error.what, error.clause};
        };
        const auto line = parse_corpus_line(example);
        if (!line) return here(line.error());
        if (const auto checked = check_expectation(*line); !checked) return here(checked.error());
        for (const Scope& scope : scopes) {
          if (scope.definition() != line->question.definition) continue;
          const auto fitted = scope.fitted(line->question);
          // A clause's example cites the clause if it is the page's own case, or differs from it only in the
          // type.
          if (fitted) cases.add(*fitted, clause.id);
        }
      }
  return Done{};
}

Result<Done> add_corpus(std::string_view name, const std::vector<Scope>& scopes, Cases& cases) {
  cases.begin(Generator::corpora);
  for (const CorpusText& corpus : built_in_corpora()) {
    if (corpus.name != name) continue;
    TRY(const auto questions, parse_corpus(corpus));
    cases.note_corpus({"conformance/plan/corpora/" + corpus.name, sha256_hex(corpus.text)});
    for (const Case& question : questions)
      for (const Scope& scope : scopes) {
        if (scope.definition() != question.definition) continue;
        if (const auto fitted = scope.fitted(question)) cases.add(*fitted);
      }
    return Done{};
  }
  return Error{Error::Code::io, "the corpus " + std::string(name) + " is not part of this program"};
}

// Adds the corpus of the scope's definition, if there is one.
Result<Done> add_own_corpus(const Scope& scope, Cases& cases) {
  const std::string name = std::string(certile::name(scope.definition())) + ".tile";
  const bool has_one =
      std::ranges::find(built_in_corpora(), name, &CorpusText::name) != built_in_corpora().end();
  return has_one ? add_corpus(name, {scope}, cases) : Done{};
}

void add_smoke(Sink& sink) {
  add_small_shapes(sink, 2, true);
  add_signed_repeats(sink);
  add_types(sink);
  add_size_ladder(sink, Ladder::short_one);
  add_counts(sink, 257);
  add_blocks(sink, 2);
  add_ranks(sink, 6);
  add_high_ranks(sink);
  add_promotions(sink, 6);
  add_many_new_and_empty_axes(sink);
  add_placements(sink, Placements::few);
  add_few_threads(sink);
  add_soaks(sink, 1'000, false);
  add_refusals(sink);
  add_refusals_of_high_ranks(sink, {9, 11});
  // Along an axis there are two factors alone.
  if (!has_axis(sink.scope().definition())) add_overflowing_products(sink);
  add_large_narrow_repeats(sink, {2, 4, 5, 16});
  add_repeats_extremes(sink);
  add_overflows(sink);
  add_claim_boundary(sink);
  add_walks(sink);
  add_contents(sink);
}

void add_core(Sink& sink) {
  add_small_shapes(sink, 3, false);
  add_size_ladder(sink, Ladder::whole);
  add_counts(sink, 65537);
  add_blocks(sink, 4);
  add_long_strings(sink);
  add_large_narrow_repeats(sink, {1, 3, 8, 9, 17, 33});
  add_ranks(sink, 12);
  add_high_ranks(sink);
  add_refusals_of_high_ranks(sink, {5, 6, 7, 8, 10, 12, 13, 14, 15, 16, 17, 20, 32, 33, 49, 63, 64});
  add_promotions(sink, 10);
  add_promoted_products(sink);
  add_placements(sink, Placements::some);
  add_threads(sink, 3);
  add_soaks(sink, 120'000, false);
  add_state(sink);
}

void add_full(Sink& sink) {
  add_small_shapes(sink, 4, true);
  add_ranks(sink, 16);
  add_promotions(sink, 16);
  add_placements(sink, Placements::all);
  add_threads(sink, 8);
  add_soaks(sink, 1'000'000, true);
}

// Adds what depends on the kernel.
void add_kernel_smoke(KernelCases& kernel) {
  add_lengths(kernel, Lengths::sampled);
  add_alignments(kernel, Lengths::sampled);
  add_products(kernel, std::int64_t{1} << 12);
  add_long_middles(kernel, Lengths::sampled);
  add_concurrent_regimes(kernel);
  add_large_concurrent(kernel, LargeConcurrent::one);
  add_axis_patterns(kernel, AxisPatterns::once);
  add_unmergeable_axes(kernel, 9);
  add_divisors(kernel, Divisors::of_five_axes);
  add_thresholds(kernel, std::int64_t{1} << 18);
  add_mixed_sizes(kernel, {.count = 40, .least = 256, .most = std::int64_t{1} << 16});
}

void add_kernel_core(KernelCases& kernel) {
  // What takes longest comes first and apart, so that several processes share it.
  add_thresholds(kernel, std::int64_t{64} << 20);
  add_packed_mebibyte(kernel, 1);
  add_lengths(kernel, Lengths::every);
  add_packed_mebibyte(kernel, 2);
  add_mixed_sizes(kernel, {.count = 200, .least = 1024, .most = std::int64_t{1} << 22});
  add_alignments(kernel, Lengths::every);
  add_large_concurrent(kernel, LargeConcurrent::several);
  add_axis_patterns(kernel, AxisPatterns::with_every_width);
  add_unmergeable_axes(kernel, 13);
  add_divisors(kernel, Divisors::every);
  add_packed_mebibyte(kernel, 3);
  add_products(kernel, std::int64_t{1} << 24);
  add_packed_mebibyte(kernel, 4);
  add_long_middles(kernel, Lengths::every);
  add_large_fills(kernel);
}

// Divides the random cases evenly: the requested number, or else the tier's own.
void add_random_cases(const std::vector<Scope>& scopes, const PlanOptions& options, std::int64_t usual,
                      Cases& cases) {
  const std::int64_t total = options.random_cases.value_or(usual);
  const auto shares = static_cast<std::int64_t>(scopes.size());
  for (std::int64_t share = 0; share < shares; ++share) {
    Sink sink(scopes[static_cast<std::size_t>(share)], cases);
    add_random(sink, {.count = total / shares + (share < total % shares ? 1 : 0),
                      .seed = options.seed,
                      .threads = options.tier == Tier::full});
  }
}

}  // namespace

Result<Done> add_tier(const Claim& claim, Transport transport, const PlanOptions& options, Cases& cases) {
  std::vector<Scope> scopes;
  for (const DefinitionId definition : all_definitions()) {
    if (std::find(options.definitions.begin(), options.definitions.end(), definition) ==
        options.definitions.end())
      continue;
    Scope scope(definition, claim);
    if (scope.empty())
      add_unclaimed(scope, cases);
    else
      scopes.push_back(std::move(scope));
  }
  if (scopes.empty()) return Done{};
  const auto each = [&](auto generate) {
    for (const Scope& scope : scopes) {
      Sink sink(scope, cases);
      generate(sink);
    }
  };
  if (auto added = add_examples(scopes, cases); !added) return added;
  if (auto added = add_corpus("smoke.tile", scopes, cases); !added) return added;
  for (const Scope& scope : scopes)
    if (auto added = add_own_corpus(scope, cases); !added) return added;
  each(add_smoke);
  if (!transport.shares_memory) each(add_answer_beyond_memory);
  add_changes_of_definition(scopes, cases);
  KernelCases kernel(scopes, cases);
  add_kernel_smoke(kernel);
  if (options.tier == Tier::large) each(add_large);
  if (options.tier == Tier::smoke || options.tier == Tier::large) {
    add_random_cases(scopes, options, 0, cases);
    return Done{};
  }
  for (const char* name : {"regressions.tile", "core.tile", "types.tile"})
    if (auto added = add_corpus(name, scopes, cases); !added) return added;
  each(add_core);
  for (const Scope& scope : scopes)
    if (Sink sink(scope, cases); add_many_characters(sink)) break;
  add_kernel_core(kernel);
  if (options.tier == Tier::full) {
    each(add_full);
    add_unmergeable_axes(kernel, 14);
    add_mixed_sizes(kernel, {.count = 600, .least = 4096, .most = std::int64_t{1} << 24});
    add_thresholds(kernel, std::int64_t{256} << 20);
  }
  add_random_cases(scopes, options, options.tier == Tier::full ? 100'000 : 20'000, cases);
  return Done{};
}

}  // namespace certile::conformance
