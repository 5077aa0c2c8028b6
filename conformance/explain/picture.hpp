#pragma once
#include <cstddef>
#include <string>

#include "conformance/explain/wrong_elements.hpp"

namespace certile::conformance {

// The room for a picture, in characters and in rows of elements.
struct PictureSize {
  std::size_t width = 110, rows = 16;
};

// Draws the expected and the actual output next to each other as grids: wrong elements have a `*`, unwritten
// ones are `?`, and lines separate the copies of the data.  Of more than two axes one slice is drawn, and of
// a large output the part around the first wrong element.  Each line ends in a newline.  Empty if even a
// single column is too wide.
std::string picture_of(const WrongElements& found, const PictureSize& size);

}  // namespace certile::conformance
