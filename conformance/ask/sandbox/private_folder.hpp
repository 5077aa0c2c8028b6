#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

// An empty folder of this user alone, which is removed with everything in it.
class PrivateFolder {
 public:
  // Creates the folder where temporary files go.  Error io.
  static Result<std::unique_ptr<PrivateFolder>> create();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// Gives this process, which has one thread, an empty working directory, HOME and TMPDIR in `folder`, which is
// empty.  Where the kernel allows a mount namespace, /tmp, /var/tmp and /dev/shm are empty too, but for what
// holds the paths that are `kept`.
void enter_fresh_folder(const std::string& folder, std::span<const std::string> kept);

// Returns the files that processes wrote in a fresh folder, as they name them: "$TMPDIR/cache", sorted.
std::vector<std::string> files_written_in(const std::string& folder);

}  // namespace certile::conformance
