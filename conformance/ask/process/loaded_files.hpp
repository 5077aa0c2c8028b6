#pragma once
#include <sys/types.h>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/process/watched_files.hpp"

namespace certile::conformance {

// The files that the processes of a backend really loaded: those that they have mapped to be executed, as the
// kernel lists them.  Several threads may share one.
class LoadedFiles {
 public:
  // Notes what the descendants of a process have loaded: a host's child, or a worker's processes.  A process
  // that ends meanwhile is left out.
  void note(pid_t ancestor) noexcept;

  // Returns the name, without folders, and the SHA-256 of each file, sorted and each once.  A file that was
  // removed before it could be read has no digest.
  std::vector<Part> parts() const;
  // Returns true if one of the files has this SHA-256.
  bool has(std::string_view digest) const;
  // Returns a sentence if a file was changed after it was noted first, or if another one was loaded from its
  // path, or if the files could not be listed.
  std::optional<std::string> changed() const;

 private:
  void note_all(pid_t ancestor);
  void note_file(const std::string& path);

  std::atomic<bool> has_failed_{false};
  mutable std::mutex mutex_;
  WatchedFiles files_;
  std::map<std::string, std::string> digests_;  // by path
  std::vector<std::string> removed_;            // paths
  std::optional<std::string> changed_;
};

// Returns the path of a line of /proc/PID/maps if it is about code in a file, else nothing.  `all`: data too.
std::string_view mapped_file(std::string_view line, bool all);

}  // namespace certile::conformance
