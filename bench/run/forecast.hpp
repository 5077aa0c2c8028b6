#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The time that a run is going to take.
namespace certile::bench {

// Returns about how many seconds it takes to time `things` (backends and limits, hot and cold counted apart)
// on a case of that many bytes of output.  None of them takes longer than the budget.
double expected_seconds(std::uint64_t output_bytes, int things, int rounds, double budget);

// Returns the seconds left after the first `done` cases took `elapsed`: the expectation of the others,
// corrected by how far the expectation of those that are done was off.
double seconds_left(const std::vector<double>& expected, std::size_t done, double elapsed);

// Returns "less than a second", "40 s", "3 min", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace certile::bench
