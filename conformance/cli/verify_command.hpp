#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace certile::conformance {

// The options of `certile verify PATH`.
struct VerifyOptions {
  std::string path, key, binary;      // of files
  std::string backend;                // that is asked again; empty: none is
  std::optional<std::uint64_t> seed;  // of the cases that are asked again
};

// Recomputes a file of records, or checks a signed statement or a bundle.  Prints each check, whether it
// holds or not.  Returns 0 if all hold, 1 if any does not, and 2 if the path cannot be read or is nothing
// that certile wrote.
int verify_command(const VerifyOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
