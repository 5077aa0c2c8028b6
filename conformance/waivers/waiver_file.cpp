#include "conformance/waivers/waiver_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "conformance/digest.hpp"
#include "conformance/printable.hpp"

namespace certile {
namespace {

namespace files = std::filesystem;
constexpr std::string_view ending = ".waivers";

Error unreadable(const std::string& path) {
  return Error{Error::Code::io, "cannot read the waivers in " + printable(path)};
}

Result<WaiverFile> read_file(const std::string& path) {
  std::error_code none;
  std::ifstream file(path, std::ios::binary);
  if (!file || files::is_directory(path, none)) return unreadable(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return unreadable(path);
  auto waivers = parse_waivers(text, path);
  if (!waivers) return waivers.error();
  Sha256 digest;
  digest.add(text);
  return WaiverFile{path, digest.hex(), *std::move(waivers)};
}

// A name is anybody's claim, and no way into other folders.
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

Result<WaiverFile> read_waivers(const std::string& path, const std::string& backend) {
  std::error_code none;
  const std::string file = waivers_path(path, backend);
  if (file != path && !files::exists(file, none)) return WaiverFile{};
  return read_file(file);
}

Result<Done> check_waivers(const std::string& path) {
  std::error_code failed;
  if (!files::is_directory(path, failed)) {
    const auto read = read_file(path);
    return read ? Result<Done>(Done{}) : read.error();
  }
  std::vector<std::string> found;
  for (const auto& entry : files::directory_iterator(path, failed))
    if (entry.path().extension() == ending) found.push_back(entry.path().string());
  if (failed) return unreadable(path);
  std::ranges::sort(found);
  for (const std::string& file : found)
    if (const auto read = read_file(file); !read) return read.error();
  return Done{};
}

}  // namespace certile
