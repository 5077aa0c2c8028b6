#include "conformance/waivers/waiver_file.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "conformance/text/digest.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;
constexpr std::string_view ending = ".waivers";

Error unreadable(const std::string& path) {
  return Error{Error::Code::io, "cannot read the waivers in " + printable(path)};
}

Result<WaiverFile> read_file(const std::string& path, const std::atomic<bool>* interrupted) {
  const auto text = read_text(path, "the waivers in", interrupted);
  if (!text) return Error{text.error().code, printable(text.error().what)};
  auto waivers = parse_waivers(*text, path);
  if (!waivers) return waivers.error();
  return WaiverFile{path, sha256_hex(*text), *std::move(waivers)};
}

// Returns a file name for a backend.  Other characters than letters, digits, -, _ and . are replaced, so that
// a backend cannot choose a file in another folder by its name.
std::string file_name_of(const std::string& backend) {
  std::string name = backend;
  const auto is_plain = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
           each == '-' || each == '_' || each == '.';
  };
  std::ranges::replace_if(
      name, [&](char each) { return !is_plain(each); }, '_');
  return name + std::string(ending);
}

}  // namespace

std::string waivers_path(const std::string& path, const std::string& backend) {
  std::error_code none;
  if (!path.ends_with('/') && !files::is_directory(path, none)) return path;
  return (files::path(path) / file_name_of(backend)).string();
}

Result<WaiverFile> read_waivers(const std::string& path, const std::string& backend,
                                const std::atomic<bool>* interrupted) {
  std::error_code none;
  const std::string file = waivers_path(path, backend);
  if (file != path && !files::exists(file, none)) return WaiverFile{};
  return read_file(file, interrupted);
}

std::vector<std::string> waiver_files(const std::string& path) {
  std::error_code failed;
  if (!files::is_directory(path, failed))
    return path.empty() ? std::vector<std::string>() : std::vector{path};
  std::vector<std::string> found;
  for (const auto& entry : files::directory_iterator(path, failed))
    if (entry.path().extension() == ending) found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

Result<Done> check_waivers(const std::string& path, const std::atomic<bool>* interrupted) {
  std::error_code failed;
  if (files::is_directory(path, failed)) {
    const files::directory_iterator entries(path, failed);
    if (failed) return unreadable(path);
  }
  for (const std::string& file : waiver_files(path))
    if (const auto read = read_file(file, interrupted); !read) return read.error();
  return Done{};
}

}  // namespace certile::conformance
