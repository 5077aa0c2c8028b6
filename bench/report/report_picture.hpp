#pragma once
#include <string>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Share of the limit over the size of the output, a line of medians and a mark per case for each subject, the
// limit drawn at 1; as one SVG that needs nothing else, in light and in dark.
std::string picture_svg(const BenchRun& run);

// The picture as a file: SVG, or a page that holds it where the path ends in .html.
Result<Done> write_picture(const std::string& path, const BenchRun& run);

}  // namespace certile
