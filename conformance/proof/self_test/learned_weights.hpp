#pragma once
#include <ostream>
#include <vector>

#include "conformance/plan/order.hpp"
#include "conformance/proof/self_test/kill_matrix.hpp"

namespace certile::conformance {

// Learns from the mutants for which `counts` is true how often each generator should come in a budget: again
// and again the sequence is added of which most kills can be expected for its price, which is its cases and
// its time.  What a case kills is expected from the other cases of its generator, not known, so that the
// weights suit kernels that are not in the matrix too; a quarter of the budget goes to all generators alike,
// because another kernel may fail where none of these does.  `cases` are those of the matrix, in the order of
// their plan.
Weights learned_weights(const KillMatrix& matrix, const std::vector<PlannedCase>& cases,
                        const std::vector<bool>& counts);

// Returns for each mutant whether the first `budget` of these cases, put into order by the weights, kill it.
std::vector<bool> killed_by_first(std::int64_t budget, const Weights& weights, const KillMatrix& matrix,
                                  const std::vector<PlannedCase>& cases);

// Writes the weights that all mutants give, as parse_weights() reads them, and two figures: the mutants
// killed by 1,000 cases, and those killed if each half was learned from the other.
void write_learned(std::ostream& out, const KillMatrix& matrix, const std::vector<PlannedCase>& cases);

}  // namespace certile::conformance
