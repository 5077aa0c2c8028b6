#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/laws/law_trial.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The laws, one function each, which makes the calls that the law needs; laws.cpp has their names and
// sentences.

// Laws about repeats and axes.

void tiling_by_ones(LawTrial& trial);
void tiling_twice(LawTrial& trial);
void axis_order(LawTrial& trial);
void explicit_ones(LawTrial& trial);
void zero_repeats(LawTrial& trial);

// Laws about the places of elements.

void periodic(LawTrial& trial);
void concatenation(LawTrial& trial);
void kronecker(LawTrial& trial);
void permuted_axes(LawTrial& trial);

// Laws about what must not matter.

void reinterpreted_type(LawTrial& trial);
void any_placement(LawTrial& trial);
void concurrent_calls(LawTrial& trial);

// A statement about Tile that needs no oracle: it relates the answers to several calls to each other, or to
// the data.
struct Law {
  std::string_view name;  // "tiling-by-ones": stable
  std::string_view sentence;
  void (*try_on)(LawTrial& trial);
};

// Returns every law, in the order of reports.
std::span<const Law> all_laws() noexcept;
const Law* law_named(std::string_view name) noexcept;

struct LawFinding {
  LawWord word = LawWord::holds;
  std::string evidence = {};          // of a broken law
  std::size_t calls = 0;              // the number of calls made
  std::optional<Record> record = {};  // of a broken law: its first call that was answered wrongly
  // The cases of the calls up to that one, in order, if one line can hold each.
  std::vector<PlannedCase> asked = {};
};

// Tries a law on a case.  Errors: io; backend_failed if right answers break a law, so that certile itself is
// wrong.
Result<LawFinding> try_law(const Law& law, const Case& question, LawAsker& asker);

}  // namespace certile::conformance
