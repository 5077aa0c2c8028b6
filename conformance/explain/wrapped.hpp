#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace certile::conformance {

// Returns the paragraphs of `text` broken between words into lines of at most `width` characters, each after
// `indent` spaces and with its newline.  A line that is indented already, an example, stays whole.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace certile::conformance
