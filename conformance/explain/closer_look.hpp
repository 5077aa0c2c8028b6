#pragma once
#include <span>
#include <string>

#include "conformance/ask/asker.hpp"
#include "conformance/explain/picture.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// A failing case that was asked again.
struct CloserLook {
  // What a person looks at: the picture of expected and actual output, where the wrong elements are, and what
  // they are instead.  Each line ends in a newline.  Empty if no output of the expected shape came.
  std::string lines;
  int asked = 0;        // times
  bool failed = false;  // the last time
};

// Asks a failing case again, with the earlier calls that it needs, until it fails, a few times at most.
// `also` has outputs of other failures of its clause; see what_instead().
CloserLook closer_look(const Record& failure, const IsolateOptions& options, const PictureSize& size,
                       std::span<const WrongElements> also = {});

// Returns the lines for a failing case whose output the record has, without asking: picture, places, values.
// Empty for an output that is not in the record, and for one that no call of the case can give.
std::string recorded_look(const Record& failure, const PictureSize& size,
                          std::span<const WrongElements> also = {});

// The rows of the picture in a report that fits on a screen.
inline constexpr std::size_t rows_in_brief = 6;

}  // namespace certile::conformance
