#include "conformance/proof/self_test/roster.hpp"

#include <algorithm>
#include <array>

#include "reference/spec/spec.hpp"

namespace certile {
namespace {

using enum Tier;
using enum Liar::Exposed;

#define CERTILE_TEXT_OF(words) #words
#define CERTILE_TEXT(words) CERTILE_TEXT_OF(words)
#define MUTANT(id, name, tier, operators, caught_by, words) \
  Mutant{#id, #name, tier, CERTILE_TEXT(operators), caught_by, words},
constexpr std::array mutants{
#include "conformance/proof/mutants/mutants.inc"
};
#define WORKER(id, name, doors, operators, caught_by, words)                        \
  WrongWorker{{#id, #name, Tier::smoke, CERTILE_TEXT(operators), caught_by, words}, \
              WrongWorker::Doors::doors},
constexpr std::array wrong_workers{
#include "conformance/proof/mutants/workers.inc"
};
#define LIAR(id, name, exposed, words) Liar{#id, #name, exposed, words},
constexpr std::array liars{
#include "conformance/proof/mutants/liars.inc"
};

constexpr std::array beyond{
    OutOfReach{"M46", "takes an input with strides of 0 for a dense one, and reads past it",
               "the C header has dense inputs only"},
    OutOfReach{"M51", "infers the data's rank where the repeats are not known",
               "the C header gives every repeat its value"},
    OutOfReach{"M54", "supports nothing, so that nothing is run", "a liar: L03"},
    OutOfReach{"M55", "asks the oracle for the answer", "a liar: L07, L08"},
    OutOfReach{"P1-P6", "gives right answers slowly", "conformance is not speed: certile-bench times it"},
};

struct Spelling {
  Operator op;
  std::string_view word, prefix;  // in a row's operators, of the clauses
};
constexpr std::array spellings{
    Spelling{Operator::openvino_tile_1, "ov", "OV-T1-"},
    Spelling{Operator::onnx_tile_13, "o13", "ONNX-T13-"},
    Spelling{Operator::onnx_tile_6, "o6", "ONNX-T6-"},
    Spelling{Operator::onnx_tile_1, "o1", "ONNX-T1-"},
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// The word of `caught_by` that stands for the operator: CLAUSE, or CLAUSE/CLAUSE, the second at the level
// text.
std::string_view word_of(const Mutant& mutant, Operator op) {
  const auto spelling = std::ranges::find(spellings, op, &Spelling::op);
  for (const std::string_view clause : words_of(mutant.caught_by))
    if (clause.starts_with("CT-") || clause.starts_with(spelling->prefix)) return clause;
  return {};
}

}  // namespace

std::span<const Mutant> all_mutants() noexcept {
  return mutants;
}

std::span<const Liar> all_liars() noexcept {
  return liars;
}

std::span<const OutOfReach> out_of_reach() noexcept {
  return beyond;
}

std::vector<Operator> operators_of(const Mutant& mutant) {
  std::vector<Operator> operators;
  for (const std::string_view word : words_of(mutant.operators))
    for (const Spelling& spelling : spellings)
      if (spelling.word == word) operators.push_back(spelling.op);
  return operators;
}

std::span<const WrongWorker> all_wrong_workers() noexcept {
  return wrong_workers;
}

std::string_view clause_of(const Mutant& mutant, Operator op) {
  const std::string_view word = word_of(mutant, op);
  return word.substr(0, word.find('/'));
}

std::string_view text_clause_of(const Mutant& mutant, Operator op) {
  const std::string_view word = word_of(mutant, op);
  if (const auto slash = word.find('/'); slash != std::string_view::npos) return word.substr(slash + 1);
  const Requirement* clause = find_requirement(word);
  return clause != nullptr && counts_at_text(clause->kind) ? word : std::string_view();
}

}  // namespace certile
