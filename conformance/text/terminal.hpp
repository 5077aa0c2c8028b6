#pragma once
#include <cstddef>

namespace certile::conformance {

// Returns true if the descriptor is a terminal that understands escape sequences: not one with TERM=dumb.
bool is_terminal(int descriptor) noexcept;

// Returns true if text to this descriptor may have colours: it is a terminal, and NO_COLOR is not set.
bool wants_colour(int descriptor) noexcept;

// Returns the number of columns of the terminal, at least 60; `otherwise` if the descriptor is none.
std::size_t columns_of(int descriptor, std::size_t otherwise) noexcept;

}  // namespace certile::conformance
