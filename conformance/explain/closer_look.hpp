#pragma once
#include <string>

#include "conformance/ask/asker.hpp"
#include "conformance/explain/picture.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// Asks a failing case again, with the earlier calls that it needs, and returns what a person looks at: the
// picture of expected and actual output, where the wrong elements are, and what they are instead.  Each line
// ends in a newline.  Empty if the call gave no output of the expected shape, or passes this time.
std::string closer_look(const Record& failure, const IsolateOptions& options, const PictureSize& size);

}  // namespace certile::conformance
