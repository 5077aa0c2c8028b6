#pragma once
#include <string>
#include <string_view>

namespace certile::conformance {

// Returns the page of template.html with the style, the program and this JSON.  No text of the JSON can end
// its element, and the page's policy lets nothing run but its own program.
std::string page_with(std::string_view json);

}  // namespace certile::conformance
