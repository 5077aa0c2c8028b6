#include "conformance/ask/sandbox/private_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace certile::conformance {

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::create() {
  std::error_code failed;
  std::filesystem::path place = std::filesystem::temp_directory_path(failed);
  // Mounting follows no links, and the path must name the same folder from every other one.
  if (!failed) place = std::filesystem::canonical(place, failed);
  if (failed) return Error{Error::Code::io, "cannot find a folder for temporary files: " + failed.message()};
  std::string path = place / "certile-sandbox-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    return Error{Error::Code::io, "cannot create " + path + ": " + std::strerror(errno)};
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(path)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;  // a backend may have left what this user cannot remove
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace certile::conformance
