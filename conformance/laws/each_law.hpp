#pragma once
#include "conformance/laws/law_trial.hpp"

namespace certile::conformance {

// The laws, one function each, which makes the calls that the law needs; laws.cpp has their names and
// sentences.

// Laws about repeats and axes, in laws_of_repeats.cpp.

void tiling_by_ones(LawTrial& trial);
void tiling_twice(LawTrial& trial);
void axis_order(LawTrial& trial);
void explicit_ones(LawTrial& trial);
void zero_repeats(LawTrial& trial);

// Laws about the places of elements, in laws_of_elements.cpp.

void periodic(LawTrial& trial);
void concatenation(LawTrial& trial);
void kronecker(LawTrial& trial);
void permuted_axes(LawTrial& trial);

// Laws about what must not matter, in laws_of_indifference.cpp.

void reinterpreted_type(LawTrial& trial);
void any_placement(LawTrial& trial);
void concurrent_calls(LawTrial& trial);

}  // namespace certile::conformance
