#pragma once
#include <filesystem>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The files that an installation has, found from the program's own place, so that an installation can be
// moved.
struct Installation {
  std::filesystem::path programs;  // the folder of the running program, such as PREFIX/bin

  // Returns the installation that the running program is in; a build directory has none of the files.
  static Installation of_this_program();

  // Returns the folder of certile_plugin.h.  Errors: io, if it is not installed.
  Result<std::string> include_folder() const;

  // Returns certile's spelling of a backend: the name of a runtime, such as numpy, becomes the worker that is
  // installed for that runtime, in the Python of the program's own environment or else the first one on PATH.
  // Every other text is returned unchanged, and so are names of runtimes where no workers are installed.
  std::string spelling_of(const std::string& backend) const;
  bool has_workers() const;
};

}  // namespace certile::conformance
