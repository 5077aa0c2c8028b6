#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// How one element is spelled in a literal.  Integers in decimal; finite floats in the shortest decimal that
// reads back; NaN, infinities, complex and nf4 as 0x and the bit pattern, all digits (complex as one number,
// whose high half is the imaginary part); boolean 0 or 1; a string as JSON, or as 0x bytes where it is not
// UTF-8.
//
// Read are also: any decimal that JSON allows, and 0x bits, all digits, of any type.  Every float takes the
// number nearest to a decimal, of two equally near ones that with the even pattern; a decimal beyond the
// largest number of its type, or so close to 0 that it would become 0, is refused.  A boolean that is neither
// 0 nor 1 can be shown, as 0x and its byte, but not read.

// The bits that `spelling` means, for every type but string; bad_literal, without a column, when it means
// none.
Result<Tensor::Bits> element_from_text(ElementType type, std::string_view spelling);

// The characters that a string element's spelling means.
Result<std::string> string_from_text(std::string_view spelling);

// Canonical spelling.  `append_element` adds it to the end of `text`.
void append_element(std::string& text, ElementType type, Tensor::Bits bits);
std::string element_to_text(ElementType type, Tensor::Bits bits);
std::string string_to_text(std::string_view characters);

// Whether the characters are UTF-8, and so are spelled as JSON.
bool is_utf8(std::string_view characters) noexcept;

// Appends the UTF-8 of a character, which is no half of a surrogate pair.
void append_utf8(std::string& characters, std::uint32_t character);

}  // namespace certile
