#pragma once
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile {

// Returns the program that is to be the host of that backend: `program` itself, a certile, for what certile
// knows by name and for workers; for shared libraries certile-host, which has no oracle and no backend.  It
// lies beside `program`, or where an installation puts it.  Error io where it lies in neither place.
Result<std::string> host_program(const std::string& program, std::string_view spelling);

}  // namespace certile
