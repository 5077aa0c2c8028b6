#include "bench/report/picture_style.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace certile {
namespace {

struct SeriesColour {
  std::string_view light, dark;
};
constexpr std::array<SeriesColour, 9> colours = {{
    {"#0072b2", "#4da3e8"},  // blue
    {"#d55e00", "#ff8c42"},  // vermilion
    {"#009e73", "#2fc79b"},  // green
    {"#b3558a", "#e79ac8"},  // purple
    {"#b8860b", "#f2c14e"},  // ochre
    {"#3a3a3a", "#e6e6e6"},  // near the text
    {"#2a9fd6", "#9bdcff"},  // sky
    {"#8c564b", "#c9a08f"},  // brown
    {"#5b4bc4", "#a99bff"},  // indigo
}};

constexpr std::size_t shapes = 5;  // no divisor of the number of colours: forty-five series differ

std::string ground_rules(std::string_view ground, std::string_view text, std::string_view grid,
                         std::string_view faint, std::string_view limit) {
  return fmt::format(
      ".ground,.cold{{fill:{0}}} text{{fill:{1}}} .faint{{fill:{3}}} .grid{{stroke:{2}}} .axis{{stroke:{3}}} "
      ".cache{{stroke:{3}}} .limit{{stroke:{4}}} .limit-text{{fill:{4}}}\n",
      ground, text, grid, faint, limit);
}

std::string series_rules(std::string_view SeriesColour::*strength) {
  std::string rules;
  for (std::size_t series = 0; series < colours.size(); ++series) {
    rules += fmt::format(".s{0}{{stroke:{1}}} .hot.s{0}{{fill:{1}}}\n", series, colours[series].*strength);
  }
  return rules;
}

}  // namespace

std::string picture_style_sheet() {
  return "\ntext{font:13px system-ui,'DejaVu Sans',sans-serif;stroke:none} "
         ".heading{font-size:18px;font-weight:600} "
         ".small{font-size:11px}\n"
         ".grid{stroke-width:1} .axis{stroke-width:1} .cache{stroke-width:1;stroke-dasharray:2 4} "
         ".limit{stroke-width:2;stroke-dasharray:9 5}\n"
         ".line{fill:none;stroke-width:2;stroke-linejoin:round} .cold-line{stroke-dasharray:5 "
         "4;stroke-width:1.5}\n"
         ".mark{stroke-width:1.4} .hot{fill-opacity:.75} .mark:hover{stroke-width:4}\n" +
         ground_rules("#ffffff", "#1c1c1c", "#e7e7e7", "#6a6a6a", "#a01c1c") +
         series_rules(&SeriesColour::light) + "@media (prefers-color-scheme: dark) {\n" +
         ground_rules("#14171c", "#e8e8e8", "#2b3038", "#a0a6ae", "#ff7b72") +
         series_rules(&SeriesColour::dark) + "}\n";
}

std::string series_class(std::size_t series) {
  return fmt::format("s{}", series % colours.size());
}

std::string mark_path(std::size_t series, double x, double y, double radius) {
  const double r = radius;
  // Sizes are chosen for equal areas: square, diamond, triangles up and down, circle.
  switch (series % shapes) {
    case 1:
      return fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8,
                         -r * 1.8);
    case 2:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}z", x, y - r * 1.3, r * 1.3,
                         r * 1.3, -r * 1.3, r * 1.3, -r * 1.3, -r * 1.3);
    case 3:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z", x, y - r * 1.2, r * 1.2, r * 2.1, -r * 2.4);
    case 4:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z", x, y + r * 1.2, r * 1.2, -r * 2.1, -r * 2.4);
    default:
      return fmt::format("M{0:.1f} {1:.1f}a{2:.1f} {2:.1f} 0 1 0 {3:.1f} 0a{2:.1f} {2:.1f} 0 1 0 {4:.1f} 0z",
                         x - r, y, r, 2 * r, -2 * r);
  }
}

}  // namespace certile
