#pragma once
#include <optional>
#include <string>
#include <vector>

#include "conformance/ask/process/loaded_files.hpp"
#include "conformance/facts/claim.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The files of a backend and their digest, taken before the first process starts.  Every process of a run
// loads the files again by path, so the digest is valid for the run only if the files are unchanged at its
// end.
class JudgedFiles {
 public:
  // Reads the files of a backend.  Error: io if one cannot be read, is not a regular file, or changes while
  // it is read.
  static Result<JudgedFiles> of(const std::string& spelling);

  // Returns the name and the SHA-256 of each file.
  const std::vector<Part>& parts() const noexcept { return files_.parts(); }
  // Returns a SHA-256 in hex: of the library or program, or for a worker of the list of its files and of the
  // parts in its claim, in lines as sha256sum prints them.
  std::string digest(const Claim& claim) const;
  // Returns a sentence if a file has changed since it was read, or since the backend's processes loaded it,
  // or if those loaded another library or program than the one that was read.
  std::optional<std::string> changed_since(const LoadedFiles& loaded) const;

 private:
  std::optional<std::string> command_;  // of a worker
  WatchedFiles files_;
};

// Returns the files of a backend: the library, certile itself for a built-in one, or those that a worker's
// command names: its program, found by PATH if needed, and each word that is the path of a file or begins
// with one, as FILE.py:NAME does.
std::vector<std::string> files_of(const std::string& spelling);

}  // namespace certile::conformance
