#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/values/case.hpp"

namespace certile::conformance {

// The properties of a case, in the order of properties.inc: each a number, or 1 for a fact that
// holds and 0 for one that does not; `no_number` if the case has no such thing, or it is too large to count.
inline constexpr std::size_t property_count = 41;
inline constexpr std::int64_t no_number = INT64_MIN;
using Properties = std::array<std::int64_t, property_count>;
Properties properties_of(const Case& question);

// A property that tells failing cases from passing ones: its number is in a range for the first, and for none
// of the others.
struct Condition {
  std::size_t property;
  std::int64_t low, high;                    // of the failures
  std::optional<std::int64_t> below, above;  // of the passes, those next to the range
  std::string at_low, at_high;               // the literals of failures at its ends

  // Returns nothing for a number between failures and passes.
  std::optional<bool> holds(const Properties& of) const;
  // Returns "the size of a row is 33 bytes or more".
  std::string words() const;
};

// The failures and passes of a clause, by the numbers of their properties.
class Separation {
 public:
  void add(const Properties& of, const std::string& literal, bool fails);
  // Returns the conditions that all failures meet, and no pass; the simplest first.
  std::vector<Condition> conditions() const;

 private:
  struct Failures {
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    std::string at_low, at_high;
  };
  std::array<Failures, property_count> failed_;
  std::array<std::set<std::int64_t>, property_count> passed_;
};

}  // namespace certile::conformance
