#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/judge/record.hpp"
#include "reference/spec/clause.hpp"

namespace certile::conformance {

// The counts of one clause: how many records bear on it in each way.
struct ClauseTally {
  std::int64_t unasked = 0;   // the case would exercise the clause, and was not run
  std::int64_t proven = 0;    // the case passes
  std::int64_t accepted = 0;  // the case fails; another clause is charged, and a waiver accepts that
  std::int64_t failed = 0;    // the case fails, and another clause is charged
  std::int64_t waived = 0;    // the failure is charged to the clause, and a waiver accepts it
  std::int64_t violated = 0;  // the failure is charged to the clause
  // The literal of the failure that is shown first: see Summary::add_failure.
  std::string first_failure = {};
};

// Returns the count that the record of a case belongs to, whether the case exercises the clause or not; null
// if to none.  `proven_without_elements`: see exercised.hpp.
std::int64_t ClauseTally::*bearing_of(const Record& record, std::string_view clause, bool is_exercised,
                                      bool proven_without_elements);

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
