#include "conformance/cli/file_conflicts.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

// The identity of a file: its device and number if it exists, else the path that it will have.
struct Place {
  bool exists = false;
  dev_t device = 0;
  ino_t inode = 0;
  files::path path;
  bool operator==(const Place& other) const {
    if (exists != other.exists) return false;
    return exists ? device == other.device && inode == other.inode : path == other.path;
  }
};

// Follows links whose target does not exist yet.
files::path end_of_links(files::path path) {
  constexpr int most_links = 40;  // the limit of the system
  std::error_code failed;
  for (int followed = 0; followed < most_links && files::is_symlink(path, failed); ++followed) {
    const files::path target = files::read_symlink(path, failed);
    if (failed) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

// Returns the identity of the file, or nothing for standard output, a pipe or a device, which several outputs
// may share.
std::optional<Place> place_of(const std::string& path) {
  if (path.empty() || path == "-") return std::nullopt;
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Place{true, status.st_dev, status.st_ino, {}};
  }
  std::error_code failed;
  const files::path absolute = files::absolute(end_of_links(path), failed);
  const files::path whole = failed ? absolute : files::weakly_canonical(absolute, failed);
  return Place{false, 0, 0, failed ? absolute : whole};
}

// Returns the folder of a file to write, if there is none: the run would be for nothing.
std::optional<std::string> missing_folder(const NamedFile& output) {
  const files::path folder = files::path(output.path).parent_path();
  std::error_code none;
  if (folder.empty() || files::is_directory(folder, none)) return std::nullopt;
  return folder.string();
}

}  // namespace

bool is_standard_output(const NamedFile& file) {
  return file.path == "-";
}

std::optional<std::string> conflict_of(const std::vector<NamedFile>& outputs,
                                       const std::vector<NamedFile>& inputs) {
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    const NamedFile& output = outputs[index];
    for (std::size_t other = 0; other < index && is_standard_output(output); ++other)
      if (is_standard_output(outputs[other]))
        return outputs[other].as + " and " + output.as +
               " both go to standard output; name a file for one of them";
    if (const auto folder = missing_folder(output))
      return output.as + " " + printable(output.path) + " cannot be written: there is no folder " +
             printable(*folder);
    const auto place = place_of(output.path);
    if (!place) continue;
    for (const NamedFile& input : inputs)
      if (place_of(input.path) == place)
        return output.as + " " + printable(output.path) + " would be written over " + input.as +
               "; name another file";
    for (std::size_t other = 0; other < index; ++other)
      if (place_of(outputs[other].path) == place)
        return outputs[other].as + " and " + output.as + " are the same file, " + printable(output.path) +
               "; name a separate file for each";
  }
  return std::nullopt;
}

}  // namespace certile::conformance
