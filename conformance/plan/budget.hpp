#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "reference/values/result.hpp"

namespace certile::conformance {

// How much of a tier a run may ask, the most telling cases first: a number of cases, or a time.
using Budget = std::variant<std::int64_t, std::chrono::seconds>;

// Reads "1000", which are cases, or "30s".  Error: bad_literal with a sentence.
Result<Budget> parse_budget(std::string_view text);
// Returns the text that parse_budget() reads.
std::string to_string(const Budget& budget);
// Returns "1,000 cases" or "30 s".
std::string in_words(const Budget& budget);

// Returns the end of the chunk that begins with the case number `begin` of a plan with a budget: each chunk
// is a quarter of what was asked before, so that a time is exceeded by little, and processes that start
// slowly start seldom.
std::size_t end_of_chunk_of_budget(std::size_t begin) noexcept;

}  // namespace certile::conformance
