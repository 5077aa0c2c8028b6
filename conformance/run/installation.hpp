#pragma once
#include <filesystem>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The files that an installation has, found from the program's own place, so that an installation can be
// moved.
struct Installation {
  std::filesystem::path programs;  // the folder of the running program, such as PREFIX/bin

  // Returns the installation that the running program is in; a build directory is laid out as one.
  static Installation of_this_program();

  // Returns the folder of certile_plugin.h and certile_runner.h: in a build directory, that of the source
  // tree. Errors: io, if it is not there.
  Result<std::string> include_folder() const;

  // Returns the linker's options for certile::runner.  Errors: io, if its archive is not there.
  Result<std::string> runner_options() const;

  // Returns certile's spelling of a backend: the name of a runtime, such as numpy, becomes the worker that is
  // installed for that runtime.  Its Python is that of the program's own environment or else the first one on
  // PATH, unless it lacks the runtime, and the runtime has a private environment.  Every other text is
  // returned unchanged, and so are names of runtimes where no workers are installed.
  std::string spelling_of(const std::string& backend) const;
  bool has_workers() const;
  // Returns the command that makes a private environment for the runtime of that name; empty if there is one
  // already, for other backends, and where no workers are installed.
  std::string remedy_for(const std::string& backend) const;

  // Returns the word by which a shell starts the Python of the program's own environment, or of PATH.
  std::string python() const;
  // Returns the folder of the installed workers.
  std::filesystem::path workers() const;
  // Returns the folder of private environments: $CERTILE_ENVIRONMENTS, else certile/environments in
  // $XDG_DATA_HOME, which is ~/.local/share if it is not set.
  static std::filesystem::path environments();
};

}  // namespace certile::conformance
