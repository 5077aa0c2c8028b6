#pragma once
#include <cstddef>
#include <string>

// How series look: colours that people with any colour vision tell apart (after Okabe and Ito), in two
// strengths for light and dark, and shapes, so that colour is never the only difference.
namespace certile {

// The style sheet of the picture; dark where the reader's system is.
std::string picture_style_sheet();

// The class of series number `series`.
std::string series_class(std::size_t series);

// The mark of that series around a point, as an SVG path.
std::string mark_path(std::size_t series, double x, double y, double radius);

}  // namespace certile
