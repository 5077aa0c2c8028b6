#include "bench/report/report_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "bench/report/figure_text.hpp"
#include "bench/report/picture_style.hpp"
#include "bench/report/report_table.hpp"
#include "bench/run/bench_names.hpp"
#include "bench/run/shares.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile {
namespace {

constexpr double width = 1080, height = 600;
constexpr double left = 74, right = 846, top = 92, bottom = 528;
constexpr double mark_radius = 4.2;
constexpr double greatest_share = 1.6;  // what lies above is drawn at the edge

struct Point {
  double octave = 0;  // logarithm of the output's size to base 2
  double share = 0;
  std::string words;
};

// The points of one subject at one temperature.
using Points = std::vector<Point>;

Points points_of(const BenchRun& run, const std::string& name, Temperature temperature) {
  Points points;
  for (const TimedCase& timed : run.cases) {
    const Subject* subject = find_subject(timed, name);
    if (subject == nullptr || timed.output_bytes == 0) continue;
    const auto figures = measured(run, timed, *subject, temperature);
    if (!figures || !figures->share) continue;
    points.push_back({std::log2(static_cast<double>(timed.output_bytes)), figures->share->median,
                      fmt::format("{}, {}\n{}\n{}, {}: {} GB/s, {} of the limit ({})", printable_name(name),
                                  certile::name(temperature), timed.literal, size_text(timed.output_bytes),
                                  printable(timed.regime), rate_text(figures->bytes_per_second),
                                  share_text(figures->share->median), limit_text(*figures->limit))});
  }
  std::sort(points.begin(), points.end(),
            [](const Point& one, const Point& other) { return one.octave < other.octave; });
  return points;
}

// One point for every two octaves: the geometric mean of what lies there.
Points line_through(const Points& points) {
  std::map<int, std::vector<Point>> bins;
  for (const Point& point : points)
    bins[static_cast<int>(std::floor(point.octave / 2))].push_back(point);
  Points line;
  for (const auto& [bin, members] : bins) {
    Point mean;
    std::vector<double> shares;
    for (const Point& member : members) {
      mean.octave += member.octave / static_cast<double>(members.size());
      shares.push_back(member.share);
    }
    mean.share = geometric_mean(shares);
    line.push_back(mean);
  }
  return line;
}

class Picture {
 public:
  explicit Picture(const BenchRun& run) : run_(run) {
    for (const std::string& name : subjects_of(run)) {
      series_.push_back(
          {name, points_of(run, name, Temperature::hot), points_of(run, name, Temperature::cold)});
      for (const Points* points : {&series_.back().hot, &series_.back().cold}) {
        for (const Point& point : *points)
          include(point);
      }
    }
    first_octave_ = std::floor(first_octave_ / 2) * 2;
    last_octave_ = std::max(std::ceil(last_octave_ / 2) * 2, first_octave_ + 2);
    highest_ = std::min(greatest_share, std::ceil(highest_ * 10 + 0.5) / 10);
  }

  std::string drawn() {
    svg_ = document_.append_child("svg");
    set(svg_, "xmlns", "http://www.w3.org/2000/svg");
    set(svg_, "viewBox", fmt::format("0 0 {} {}", width, height));
    set(svg_, "role", "img");
    svg_.append_child("title").text().set("Share of the machine's limit of writing, over output size");
    svg_.append_child("style").text().set(picture_style_sheet().c_str());
    auto ground = svg_.append_child("rect");
    set(ground, "class", "ground");
    set(ground, "width", fmt::format("{}", width));
    set(ground, "height", fmt::format("{}", height));
    draw_heading();
    draw_size_axis();
    draw_share_axis();
    draw_caches();
    for (std::size_t series = 0; series < series_.size(); ++series)
      draw_lines(series);
    for (std::size_t series = 0; series < series_.size(); ++series)
      draw_marks(series);
    draw_legend();
    std::ostringstream text;
    document_.save(text, " ", pugi::format_default | pugi::format_no_declaration, pugi::encoding_utf8);
    return text.str();
  }

 private:
  struct Series {
    std::string name;
    Points hot, cold;
  };

  void include(const Point& point) {
    first_octave_ = is_empty_ ? point.octave : std::min(first_octave_, point.octave);
    last_octave_ = is_empty_ ? point.octave : std::max(last_octave_, point.octave);
    highest_ = std::max(highest_, point.share);
    is_empty_ = false;
  }

  double x_of(double octave) const {
    return left + (right - left) * (octave - first_octave_) / (last_octave_ - first_octave_);
  }
  double y_of(double share) const { return bottom - (bottom - top) * std::min(share, highest_) / highest_; }

  static void set(pugi::xml_node node, const char* attribute, const std::string& value) {
    node.append_attribute(attribute).set_value(value.c_str());
  }

  void text(double x, double y, const std::string& words, const char* anchor = "start",
            const char* classes = "") {
    auto node = svg_.append_child("text");
    set(node, "x", fmt::format("{:.1f}", x));
    set(node, "y", fmt::format("{:.1f}", y));
    set(node, "text-anchor", anchor);
    if (*classes != '\0') set(node, "class", classes);
    node.text().set(words.c_str());
  }

  void line(double from_x, double from_y, double to_x, double to_y, const char* classes) {
    auto node = svg_.append_child("path");
    set(node, "d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from_x, from_y, to_x, to_y));
    set(node, "class", classes);
  }

  void draw_heading() {
    text(left, 32, "Share of the machine's limit of writing", "start", "heading");
    text(left, 54,
         shortened(
             fmt::format("{}; {}; {}", printable(run_.suite), printable(run_.machine.processor), run_.date),
             120),
         "start", "faint");
    if (is_empty_) text((left + right) / 2, (top + bottom) / 2, "nothing was timed", "middle", "faint");
  }

  void draw_size_axis() {
    const int step = last_octave_ - first_octave_ > 24 ? 4 : 2;
    for (int octave = static_cast<int>(first_octave_); octave <= static_cast<int>(last_octave_);
         octave += step) {
      line(x_of(octave), top, x_of(octave), bottom, "grid");
      const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
      text(x_of(octave), bottom + 20, fmt::format("{} {}", 1 << octave % 10, units[octave / 10]), "middle",
           "small");
    }
    text((left + right) / 2, bottom + 46, "size of the output, bytes written", "middle");
  }

  void draw_share_axis() {
    for (int fifth = 0; fifth / 5.0 <= highest_ + 1e-9; ++fifth) {
      line(left, y_of(fifth / 5.0), right, y_of(fifth / 5.0), fifth == 0 ? "axis" : "grid");
      text(left - 10, y_of(fifth / 5.0) + 4, fmt::format("{:.1f}", fifth / 5.0), "end", "small");
    }
    line(left, y_of(1), right, y_of(1), "limit");
    text(20, (top + bottom) / 2, "share of the limit", "middle");
    set(svg_.last_child(), "transform", fmt::format("rotate(-90 20 {})", (top + bottom) / 2));
  }

  void draw_caches() {
    const std::uint64_t sizes[] = {run_.machine.level1_bytes, run_.machine.level2_bytes,
                                   run_.machine.level3_bytes};
    for (int level = 1; level <= 3; ++level) {
      const std::uint64_t size = sizes[level - 1];
      const double octave = size == 0 ? -1 : std::log2(static_cast<double>(size));
      if (octave < first_octave_ || octave > last_octave_) continue;
      line(x_of(octave), top, x_of(octave), bottom, "cache");
      text(x_of(octave), top - 7, fmt::format("L{}", level), "middle", "small faint");
    }
  }

  void draw_lines(std::size_t series) {
    for (const bool is_cold : {false, true}) {
      const Points bends = line_through(is_cold ? series_[series].cold : series_[series].hot);
      if (bends.size() < 2) continue;
      std::string path;
      for (const Point& point : bends)
        path +=
            fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(point.octave), y_of(point.share));
      auto node = svg_.append_child("path");
      set(node, "d", path);
      set(node, "class", (is_cold ? "line cold-line " : "line ") + series_class(series));
    }
  }

  void draw_marks(std::size_t series) {
    for (const Point& point : series_[series].hot)
      draw_mark(series, "hot", x_of(point.octave), y_of(point.share), point.words);
    for (const Point& point : series_[series].cold)
      draw_mark(series, "cold", x_of(point.octave), y_of(point.share), point.words);
  }

  void draw_mark(std::size_t series, const std::string& temperature, double x, double y,
                 const std::string& words) {
    auto node = svg_.append_child("path");
    set(node, "d", mark_path(series, x, y, mark_radius));
    set(node, "class", "mark " + temperature + " " + series_class(series));
    if (!words.empty()) node.append_child("title").text().set(words.c_str());
  }

  void draw_legend() {
    double y = top + 8;
    line(right + 22, y, right + 52, y, "limit");
    text(right + 62, y + 4, "the limit", "start", "limit-text");
    bool has_cold = false;
    for (std::size_t series = 0; series < series_.size(); ++series) {
      const bool was_timed = !series_[series].hot.empty() || !series_[series].cold.empty();
      if (!was_timed) continue;
      has_cold = has_cold || !series_[series].cold.empty();
      y += 24;
      line(right + 22, y, right + 52, y, ("line " + series_class(series)).c_str());
      draw_mark(series, "hot", right + 37, y, "");
      text(right + 62, y + 4, shortened(printable_name(series_[series].name), 24));
    }
    y += 40;
    const std::vector<std::string> notes = {"a mark: the median of one case",
                                            "a line: geometric means of a size",
                                            "limit: the fastest of fill,", "non-temporal fill and memset"};
    for (const std::string& note : notes) {
      text(right + 22, y, note, "start", "small faint");
      y += 16;
    }
    if (has_cold) text(right + 22, y, "filled: hot; hollow, dashed: cold", "start", "small faint");
  }

  const BenchRun& run_;
  std::vector<Series> series_;
  double first_octave_ = 6, last_octave_ = 28, highest_ = 1.05;
  bool is_empty_ = true;
  pugi::xml_document document_;
  pugi::xml_node svg_;
};

std::string page_around(const std::string& svg, const BenchRun& run) {
  std::ostringstream table;
  write_table(table, run);
  pugi::xml_document escaped;
  escaped.append_child("pre").text().set(table.str().c_str());
  std::ostringstream text;
  text << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>certile-bench</title>\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<style>body{max-width:1180px;margin:24px auto;padding:0 16px} svg{width:100%;height:auto} "
          "pre{font-size:12px;overflow-x:auto}</style></head><body>\n"
       << svg;
  escaped.save(text, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  text << "\n</body></html>\n";
  return text.str();
}

}  // namespace

std::string picture_svg(const BenchRun& run) {
  return Picture(run).drawn();
}

Result<Done> write_picture(const std::string& path, const BenchRun& run) {
  const std::string svg = picture_svg(run);
  return write_whole_file(path, path.ends_with(".html") ? page_around(svg, run) : svg);
}

}  // namespace certile
