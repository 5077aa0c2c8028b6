#pragma once
#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A list of files, each with the digest that it had when it was added.
class WatchedFiles {
 public:
  // Adds a file, unless the same file was added before under any path, and returns its part.  Errors: io if
  // the file cannot be read, is not a regular file, or changes while it is read.
  Result<Part> add(const std::string& path);

  // Returns the path and the SHA-256 of each file, in the order of their addition.
  const std::vector<Part>& parts() const noexcept { return parts_; }
  // Returns a sentence if a file has changed since it was added.
  std::optional<std::string> changed() const;

 private:
  struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec modified{};  // not when it was altered, which another link to the file sets as well
    bool operator==(const Identity& other) const noexcept;
  };
  static std::optional<Identity> identity_of(int descriptor);
  static Result<Part> read(const std::string& path, Identity& identity);

  std::vector<Part> parts_;
  std::vector<Identity> identities_;  // of the parts
};

// Returns the sentence about a file that changed during a run.
std::string was_changed(const std::string& path);

}  // namespace certile::conformance
