#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// The value of one element of repeats, tiles or axis: a whole number, or only that it is more than 2^63 - 1.
struct RepeatCount {
  std::int64_t value = 0;
  bool beyond = false;  // then `value` is some positive number
  bool operator==(const RepeatCount&) const = default;
};

// Returns element `index` of a tensor of any integer type, signed or unsigned.
RepeatCount integer_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns element `index` of a tensor of f16, f32 or f64, exactly.
double real_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns element `index` of a tensor of integers, booleans, f16, f32 or f64, if it is a whole number;
// nothing for a fraction, a NaN, an infinity, and for other types.
std::optional<RepeatCount> number_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns the elements of repeats, tiles or an axis, each as number_at() does.
std::vector<std::optional<RepeatCount>> numbers_in(const Tensor& operand);

// Converts a double without a fraction.  Below -2^63 the answer is the lowest number.
RepeatCount whole_number(double number) noexcept;

// Literals spell integers in decimal; finite floats in the shortest decimal that reads back; NaN, infinities,
// complex numbers and nf4 as 0x and all digits of the bit pattern (a complex number as one number, whose high
// half is the imaginary part); booleans as 0 or 1; strings as JSON, or as 0x and their bytes if they are not
// UTF-8.
//
// Literals may also have any decimal that JSON allows, and 0x bits, all digits, of any type.  A float is the
// number nearest to its decimal, of two equally near ones the one with the even pattern; a decimal beyond the
// largest number of its type, or so close to 0 that it would become 0, is refused.  A boolean that is neither
// 0 nor 1 is printed, as 0x and its byte, but cannot be read.

// Returns the bits that `spelling` means, for every type but string; bad_literal, without a column, if it
// means none.
Result<Tensor::Bits> element_from_text(ElementType type, std::string_view spelling);

// Returns the characters that a string element's spelling means.
Result<std::string> string_from_text(std::string_view spelling);

// Appends the canonical spelling of an element to `text`.
void append_element(std::string& text, ElementType type, Tensor::Bits bits);
std::string element_to_text(ElementType type, Tensor::Bits bits);
std::string string_to_text(std::string_view characters);

// Returns true if the characters are UTF-8, and so are spelled as JSON.
bool is_utf8(std::string_view characters) noexcept;

// Appends the UTF-8 of a character, which must not be half of a surrogate pair.
void append_utf8(std::string& characters, std::uint32_t character);

}  // namespace certile
