#pragma once
#include <filesystem>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The folder with a library for each mutant, liar and injection, M01.so, L01.so, …, and the wrong workers.
// The hostile plugins, H01.so, …, are in the folder `hostile` next to it.
class MutantFolder {
 public:
  // Finds them in the folder of that name; if it is empty, next to this program, where they are built, or
  // where they are installed.  An installation has one library of each kind, M00.so and H00.so, and a library
  // chooses what it does by its own name, so a temporary folder with a link for each name is made.  Errors:
  // io.
  static Result<MutantFolder> find(const std::string& chosen);

  MutantFolder(MutantFolder&& other) noexcept;
  MutantFolder& operator=(MutantFolder&&) = delete;
  ~MutantFolder();  // removes the temporary folder

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit MutantFolder(std::filesystem::path path) : path_(std::move(path)) {}
  // Makes the temporary folder for the libraries in `installed`.
  static Result<MutantFolder> linked_to(const std::filesystem::path& installed);

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: none
};

}  // namespace certile::conformance
