#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/expectation.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns true if a file of plan/witnesses/ lists the literal, as a plan spells it.  Witnesses are cases of
// which mutants die that a spread sample of their tier does not kill; each tier has a file.  A sample has
// those that its plan has, and a budget asks them first.  A case that no plan has any more is of no effect.
bool is_witness(std::string_view literal);

// A corpus: a text of case lines (LITERAL [=> expectation] [# words]), empty lines and lines that begin with
// #.
struct CorpusText {
  std::string name;  // its origin, for messages: a path, or "core.tile"
  std::string text;
};

// Returns the corpora compiled into this program, by file name: core.tile, regressions.tile, smoke.tile,
// types.tile.
const std::vector<CorpusText>& built_in_corpora();

// Reads the file at `path`.  Errors as read_text.
Result<CorpusText> read_corpus(const std::string& path, const std::atomic<bool>* interrupted = nullptr);

// Returns the cases of a corpus in its order, after comparing every stated expectation with the oracles'
// answer. Errors: bad_literal with `name:line:` for a line that is no case or whose expectation the oracle
// does not share, and io for a corpus without any case, or once `interrupted`, which may be null, is set.
Result<std::vector<Case>> parse_corpus(const CorpusText& corpus,
                                       const std::atomic<bool>* interrupted = nullptr);

// Succeeds if the line expects nothing or the oracles' answer; otherwise bad_literal with one sentence about
// their answer.  If the words of an expected refusal, or of a case left open, begin with a clause's id, the
// answer must be that clause's.
Result<Done> check_expectation(const CorpusLine& line);

// Returns the id of the clause that a line's words begin with; empty if they begin with none.
std::string_view clause_in(std::string_view words);

}  // namespace certile::conformance
