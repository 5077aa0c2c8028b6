#pragma once
#include <sys/types.h>

#include <atomic>
#include <compare>
#include <cstdint>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
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

// A line of /proc/PID/maps about code.
struct MappedCode {
  std::string path;      // empty: no file
  std::string identity;  // the device and the inode
  auto operator<=>(const MappedCode&) const = default;
};
// Returns the code of a line, if it is about some.  `all`: data in files too.  The kernel's own code is left
// out.
std::optional<MappedCode> mapped_code(std::string_view line, bool all);
// Returns the path at which this process finds the file: of a process in another mount namespace, the kernel
// lists paths from the root of that namespace, and this process may live below it, in a chroot.
std::string path_from_here(const MappedCode& code);

// The files that the processes of a backend really loaded: those that they have mapped to be executed, as the
// kernel lists them.  Several threads may share one.
class LoadedFiles {
 public:
  // Notes what the descendants of a process have loaded: a host's child, or a worker's processes.  A process
  // that ends meanwhile is left out.
  void note(pid_t ancestor) noexcept;

  // Returns the name, without folders, and the SHA-256 of each file, sorted and each once.  A file that was
  // removed before it could be read has no digest, and neither has code_without_file.
  std::vector<Part> parts() const;
  // Returns true if one of the files has this SHA-256.
  bool has(std::string_view digest) const;
  // Returns a sentence if a file was changed after it was noted first, or if another one was loaded from its
  // path, or if the files could not be listed.
  std::optional<std::string> changed() const;

 private:
  void note_all(pid_t ancestor);
  void note_code(const MappedCode& code);

  std::atomic<bool> has_failed_{false};
  mutable std::mutex mutex_;
  WatchedFiles files_;
  std::map<std::string, std::string> digests_, identities_;  // by path
  std::vector<std::string> removed_;                         // paths
  bool has_code_without_file_ = false;
  std::optional<std::string> changed_;
};

}  // namespace certile::conformance
