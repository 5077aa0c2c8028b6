#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/judge/record.hpp"
#include "reference/spec/clause.hpp"

namespace certile::conformance {

// A relation of a record to a clause.
enum class Bearing {
  nothing,   // it does not exercise the clause, or a pass without elements cannot prove it
  unasked,   // its case would exercise the clause, and was not run
  proves,    // its case passes
  accepted,  // its case fails; another clause is charged, and a waiver accepts that
  doubts,    // its case fails, and another clause is charged
  waives,    // the failure is charged to the clause, and a waiver accepts it
  violates   // the failure is charged to the clause
};

// Returns what the record of a case says of a clause, whether the case exercises the clause or not.
// `proven_without_elements`: see exercised.hpp.
Bearing bearing_of(const Record& record, std::string_view clause, bool is_exercised,
                   bool proven_without_elements);

// The counts of one clause: how many records bear on it in each way.
struct ClauseTally {
  std::int64_t unasked = 0, proven = 0, accepted = 0, failed = 0, waived = 0, violated = 0;
  // The literal of the failure that is shown first: see Summary::add_failure.
  std::string first_failure = {};

  void add(Bearing bearing) noexcept;
};

enum class ClauseState {
  proven,
  proven_so_far,  // cases that exercise the clause were not run
  violated,
  waived,
  in_doubt,       // cases that exercise the clause fail and none passes, with failures charged elsewhere
  not_exercised,  // no case that counts exercises it
  text_defective,
  not_testable
};

// Returns the state of a clause, which every view shows.  `lacks_records`: cases were not run, and no one
// knows which clauses they exercise.
ClauseState state_of(const Clause& clause, const ClauseTally& tally, bool lacks_records);

}  // namespace certile::conformance
