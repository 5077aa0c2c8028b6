#pragma once
#include <cerrno>
#include <cstring>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the error of the system call that just failed: what was tried, and the system's words for errno.
inline Error error_of(const std::string& what) {
  return {Error::Code::io, what + ": " + std::strerror(errno)};
}

}  // namespace certile::conformance
