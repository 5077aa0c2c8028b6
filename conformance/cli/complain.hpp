#pragma once
#include <ostream>
#include <string>

#include "conformance/text/exit_code.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

// Writes "certile: " and the sentence, each of whose lines is made printable, and returns the exit code.
inline int complain(std::ostream& error, const std::string& sentence, int code = exit_bad_command) {
  error << "certile: " << printable_lines(sentence) << std::endl;
  return code;
}

}  // namespace certile::conformance
