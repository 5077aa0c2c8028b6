#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "conformance/facts/outcome.hpp"
#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A failure that somebody accepts, for a time: of one case, or of a clause with one element type.
struct Waiver {
  std::string literal;                  // canonical; empty: of a clause
  std::string clause;                   // an id of reference/spec; empty: of a case
  ElementType type = ElementType::f32;  // of the data; with a clause
  Fault fault = Fault::none;            // the one that is accepted; any other still fails
  std::string reason, owner, link;
  std::chrono::year_month_day until;  // the last day on which it holds
};

// Reads lines of
//   'LITERAL'   FAULT "reason"  owner: WORDS  link: ADDRESS  until: YYYY-MM-DD
//   CLAUSE TYPE FAULT "reason"  owner: WORDS  link: ADDRESS  until: YYYY-MM-DD
// and empty lines, and lines that begin with #. Nothing may be left out; a link that does not exist is
// written none. Errors: bad_literal with `named:line:`, also for a `?` where somebody has something to fill
// in, and for two waivers of the same.
Result<std::vector<Waiver>> parse_waivers(const std::string& text, const std::string& named);

// The line that reads as this waiver.
std::string to_string(const Waiver& waiver);

// What of it a person wants to know: `reason (owner, link, until 2027-01-01)`.
std::string describe(const Waiver& waiver);

// "2027-01-01"
std::string date_text(const std::chrono::year_month_day& date);

}  // namespace certile
