#pragma once
#include <memory>
#include <string>

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

}  // namespace certile::conformance
