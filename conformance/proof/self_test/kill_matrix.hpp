#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A table of the mutants that each case of a plan kills, after every mutant was asked every case.
struct KillMatrix {
  Tier tier = Tier::smoke;
  std::uint64_t seed = 1;
  std::string budget;       // of the plan, as parse_budget() reads it; empty: none
  std::string plan_digest;  // of the plan of a mutant that claims everything
  std::vector<std::string> mutants;
  struct Row {
    std::string literal;
    Generator generator{};
    bool follows = false;       // as in PlannedCase
    std::int64_t cost = 0;      // of one call of the right Tile and its judgement, in microseconds
    std::vector<bool> kills{};  // by number of the mutant
  };
  // The cases in the order of that plan; then those that only mutants with a narrower claim are asked.
  std::vector<Row> rows;

  // Returns true if the case kills a mutant.
  static bool kills_any(const Row& row) noexcept;
};

// Returns the cost rounded up to a power of two, because a time is never the same twice.
std::int64_t rounded_cost(std::int64_t microseconds) noexcept;

// Writes a matrix as lines, which docs/self-test.md describes.  Cases that kill the same mutants are
// together.
void write_matrix(std::ostream& out, const KillMatrix& matrix);
// Reads the same.  The order of the cases is that of the file, and `follows` is not in it.  Error:
// bad_literal with `named:line:`.
Result<KillMatrix> parse_matrix(std::string_view text, const std::string& named);

// Writes what the matrix shows: mutants killed, those killed by fewer than `few` cases, and what each
// generator is worth.
void write_matrix_summary(std::ostream& out, const KillMatrix& matrix, std::int64_t few);

// Writes how many mutants are killed, and names the others.
void write_kills(std::ostream& out, const KillMatrix& matrix);

}  // namespace certile::conformance
