#pragma once
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "reference/values/case.hpp"

namespace certile {

// What is special about a case, as far as clauses ask: read off its literal, without making a tensor.
// It means something for calls that the operator answers; those that it refuses have the clause that refuses.
struct CaseTraits {
  const Case* question = nullptr;
  std::size_t rank = 0;           // of the data
  std::size_t repeats_count = 0;  // how many repeats; one for onnx-tile-1
  bool empty_data = false;        // a dimension of 0
  bool zero = false;              // a repeat of 0
  bool negative = false;          // a repeat below 0
  bool several = false;           // a repeat above 1
  bool eighty_eight = false;      // a repeat of 88
  bool negative_axis = false;     // onnx-tile-1
  bool near_overflow = false;     // 2^62 and more elements, counting each zero as one
  bool large_dimension = false;   // a dimension that is too large, or nearly, rather than the count
  long double elements = 1;       // about so many elements of the output, were each zero a one

  // True for data of that shape and repeats of those spellings.
  bool asks(std::initializer_list<std::int64_t> shape, std::initializer_list<std::string_view> repeats) const;
  // True where elements that a computation would change are moved: bit patterns, negative zeros, strings.
  bool has_telling_bits() const;
};

CaseTraits traits_of(const Case& question);

// True where a number is spelled so: canonical, as parse_case leaves it.
bool spells_zero(std::string_view number) noexcept;
bool spells_negative(std::string_view number) noexcept;

}  // namespace certile
