#pragma once
#include <cstddef>
#include <cstdint>

#include "reference/values/case.hpp"

namespace certile {

// The traits that make a case special, as far as clauses ask.  They need no elements that a fill makes.
// It means something for calls that the definition answers; those that it refuses have the clause that
// refuses.
struct CaseTraits {
  const Case* question = nullptr;
  std::size_t rank = 0;           // of the data
  std::size_t repeats_count = 0;  // how many repeats; of tiles, one
  bool empty_data = false;        // a dimension of 0
  bool zero = false;              // a repeat of 0
  bool negative = false;          // a repeat below 0
  bool several = false;           // a repeat above 1
  bool negative_axis = false;     // where the definition has an axis
  bool near_overflow = false;     // 2^62 and more elements, counting each zero as one
  bool large_dimension = false;   // a dimension that is too large, or nearly, rather than the count
  long double elements = 1;       // about so many elements of the output, were each zero a one

  // True for data of more axes than most networks have.
  bool has_high_rank() const noexcept { return rank > 4; }
  // True where tiles or axis have another type than the data.
  bool mixes_types() const noexcept;
  // True for data of a rank, or of an element type, that the definition requires; of any type where it
  // requires none.
  bool has_required_rank() const noexcept;
  bool has_required_type() const noexcept;
  // True where elements that a computation would change are moved: bit patterns, negative zeros, strings.
  bool has_telling_bits() const;
};

CaseTraits traits_of(const Case& question);

}  // namespace certile
