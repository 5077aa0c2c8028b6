#pragma once
#include <string>
#include <string_view>

namespace certile::conformance {

// Returns the sentence with the text that it is about on a separate line, and a caret under the column that
// the sentence begins with, as those of parse_case() do: "column 20: expected …".  A long text is cut around
// that column.  A sentence that names no column is returned unchanged.
std::string with_caret(const std::string& sentence, std::string_view text);

}  // namespace certile::conformance
