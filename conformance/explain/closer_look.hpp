#pragma once
#include <optional>
#include <span>
#include <string>

#include "conformance/ask/asker.hpp"
#include "conformance/explain/picture.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// A wrong output for a person to look at.
struct PicturedFailure {
  std::string which;               // "concurrent call 1"; empty: the case has one call
  std::optional<Picture> picture;  // none: it would be too wide
  std::string sentences;           // where the wrong elements are and what they are: indented lines
};
// Returns all of it as lines, each with its newline.
std::string text_of(const PicturedFailure& look);

// A failing case that was asked again.
struct CloserLook {
  PicturedFailure shown;  // empty if no output of the expected shape came
  int asked = 0;          // times
  bool failed = false;    // the last time
};

// Asks a failing case again, with the earlier calls that it needs, until it fails, a few times at most.
// `also` has outputs of other failures of its clause; see what_instead().
CloserLook closer_look(const Record& failure, const IsolateOptions& options, const PictureSize& size,
                       std::span<const WrongElements> also = {});

// Returns the same of a failing case whose output the record has, without asking.  Empty for an output that
// is not in the record, and for one that no call of the case can give.
PicturedFailure recorded_look(const Record& failure, const PictureSize& size,
                              std::span<const WrongElements> also = {});

// The rows of the picture in a report that fits on a screen.
inline constexpr std::size_t rows_in_brief = 6;

}  // namespace certile::conformance
