#pragma once
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the program for the host of that backend: `program` itself, a certile, for backends that certile
// has by name and for workers; the backend itself if it is a program that links certile's runner; for shared
// libraries certile-host, which has no oracle and no backend and is in the folder of `program` or of an
// installation.  Error io if it is in neither folder, or the runner is of another version.
Result<std::string> host_program(const std::string& program, std::string_view spelling);

}  // namespace certile::conformance
