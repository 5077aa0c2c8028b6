#pragma once
#include "conformance/laws/law_trial.hpp"

namespace certile {

// The laws, each as what it asks of a backend; laws.cpp has their names and sentences.

// About repeats and axes: laws_of_repeats.cpp.
void tiling_by_ones(LawTrial& trial);
void tiling_twice(LawTrial& trial);
void axis_order(LawTrial& trial);
void explicit_ones(LawTrial& trial);
void zero_repeats(LawTrial& trial);

// About where elements go: laws_of_elements.cpp.
void periodic(LawTrial& trial);
void concatenation(LawTrial& trial);
void kronecker(LawTrial& trial);
void permuted_axes(LawTrial& trial);

// About what must not matter: laws_of_indifference.cpp.
void reinterpreted_type(LawTrial& trial);
void any_placement(LawTrial& trial);
void concurrent_calls(LawTrial& trial);

}  // namespace certile
