#pragma once
#include <cstddef>
#include <cstdint>

#include "conformance/judge/expectation.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// The traits that make a case special, as far as clauses distinguish them, without elements that a fill
// makes.  They are valid for calls that the definition answers; a refused call breaks the clause that refuses
// it.
struct CaseTraits {
  const Case* question = nullptr;
  std::size_t rank = 0;           // of the data
  std::size_t repeats_count = 0;  // number of repeats; 1 for tiles
  bool empty_data = false;        // a dimension of 0
  bool zero = false;              // a repeat of 0
  bool negative = false;          // a repeat below 0
  bool several = false;           // a repeat above 1
  bool negative_axis = false;     // an axis below 0
  bool near_overflow = false;     // 2^62 and more elements, counting each zero as one
  bool large_dimension = false;   // a dimension, not the count, is too large or nearly so
  long double elements = 1;       // approximate elements of the output, counting each zero as one

  // Returns true for data with more axes than most networks have.
  bool has_high_rank() const noexcept { return rank > 4; }
  // Returns true if tiles or axis have another type than the data.
  bool mixes_types() const noexcept;
  // Returns true for data with a rank, or of an element type, that the definition requires; for any type if
  // it requires none.
  bool has_required_rank() const noexcept;
  bool has_required_type() const noexcept;
  // Returns true if a computation would change the elements: bit patterns, negative zeros, strings.
  bool has_telling_bits() const;
};

CaseTraits traits_of(const Case& question);

// Returns true if the case has an answer whose elements are asked for, and take more bytes than a process can
// address.  Then no claim covers the case, and an implementation may decline it however it likes; but it may
// not crash, nor answer.
inline bool is_beyond_memory(const Case& question) {
  constexpr double most = 0x1p48;
  if (question.placement.shape_only || estimated_bytes(question) < most) return false;
  const auto shape = oracle::output_shape(question);
  const auto count = shape ? element_count(*shape).value_or(0) : 0;
  return static_cast<double>(count) * bits(question.data.type()) / 8 >= most;
}

// Returns true if `seen`, an output with elements of 1, 2 or 4 bits, is right when data and output are both
// read with the elements of every byte in the opposite order: a difference of layout, not of values.
bool is_right_in_the_opposite_order(const Case& question, const Tensor& seen);

}  // namespace certile::conformance
