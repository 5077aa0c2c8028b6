#pragma once
#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "backends/plugin/backend.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The files behind a BACKEND, as they were before any process was started: the library, this program for a
// built-in backend, or the files that a worker's command names.  Each process of a run loads them anew by
// their paths, so a run can vouch for their digest only where they are the same files, unchanged, at its end.
class JudgedFiles {
 public:
  // Error io where one cannot be read, is not a regular file, or changes while it is read.
  static Result<JudgedFiles> of(const std::string& spelling);

  // The name and the SHA-256 of each.
  const std::vector<Part>& parts() const noexcept { return parts_; }
  // SHA-256, in hex: of the library or program itself, or of a worker the list of its files and then of the
  // parts that it names itself, in lines as sha256sum prints them.
  std::string digest(const Description& claim) const;
  // One sentence where a file is not what it was.
  std::optional<std::string> changed() const;

 private:
  struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec modified{}, altered{};
    bool operator==(const Identity& other) const noexcept;
  };
  static Result<Part> read(const std::string& path, Identity& identity);
  Result<Done> add(const std::string& path);

  std::optional<std::string> command_;  // of a worker
  std::vector<Part> parts_;
  std::vector<Identity> identities_;  // of the parts
};

// The files that a worker's command names: its program, which PATH may lead to, and each word that is the
// path of a file, or begins with one as FILE.py:NAME does.
std::vector<std::string> files_of_command(const std::string& command);

}  // namespace certile
