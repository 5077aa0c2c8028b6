#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/proof/self_test/kill_matrix.hpp"
#include "conformance/proof/self_test/roster.hpp"

namespace certile::conformance {

struct MatrixOptions {
  Tier tier = Tier::smoke;
  std::optional<Budget> budget = {};
  int jobs = 1;
  std::string folder;              // of the mutants, as MutantFolder::find takes it
  std::vector<std::string> names;  // only these mutants; empty: all that the tier must catch
  bool only_first = false;         // of the cases that kill a mutant, find one
  // Called with the number of mutants that were asked, and of all, by one thread at a time.
  std::function<void(std::size_t asked, std::size_t all)> progress = {};
};

// Asks every mutant every case, and the right Tile each case alone, to see what the case costs.  A time-out
// counts after the mutant was asked again with the time that certify gives.  Errors: io (the folder has no
// mutants, the right Tile fails, an interruption), unsupported (an unknown name), and those of a run.
Result<KillMatrix> make_matrix(const MatrixOptions& options, const std::atomic<bool>& interrupted);

// Returns the cases of a matrix with what the plan of its tier says about them, in the order of that plan.
// Errors: io (the folder has no mutants), bad_literal (the matrix is of another certile, whose tier has other
// cases), and those of a plan.
Result<std::vector<PlannedCase>> cases_of(const KillMatrix& matrix, const std::string& folder);

}  // namespace certile::conformance
