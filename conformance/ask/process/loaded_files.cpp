#include "conformance/ask/process/loaded_files.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/emulator.hpp"

namespace certile::conformance {
namespace {

// The words that the kernel puts behind the path of a file without a name.
constexpr std::string_view removed_mark = " (deleted)";

// Returns true for memory that only looks like a file: it has no bytes on a disk to take a digest of.
bool is_memory(std::string_view path) {
  return path.starts_with("/memfd:") || path.starts_with("/dev/") || path.starts_with("/SYSV");
}

std::set<std::string> files_of(pid_t process, bool all) {
  std::set<std::string> paths;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (const std::string_view path = mapped_file(line, all); !path.empty() && !is_memory(path))
      paths.emplace(path);
  return paths;
}

}  // namespace

std::string_view mapped_file(std::string_view line, bool all) {
  // 7f0c5a000000-7f0c5a021000 r-xp 00000000 08:01 1234                       /usr/lib/libm.so.6
  const std::size_t rights = line.find(' ');
  const std::size_t path = line.find('/');
  if (rights == line.npos || path == line.npos || rights + 4 >= line.size()) return {};
  if (!all && line[rights + 3] != 'x') return {};
  return line.substr(path);
}

void LoadedFiles::note(pid_t ancestor) noexcept {
  try {
    note_all(ancestor);
  } catch (const std::exception&) {
    has_failed_ = true;
  }
}

void LoadedFiles::note_all(pid_t ancestor) {
  // An emulator maps the code of its program as data.
  const bool all = !emulator_words().empty();
  std::set<std::string> paths;
  for (const pid_t process : descendants_of(ancestor))
    paths.merge(files_of(process, all));
  const std::lock_guard lock(mutex_);
  for (const std::string& path : paths)
    note_file(path);
}

void LoadedFiles::note_file(const std::string& path) {
  if (path.ends_with(removed_mark)) {
    const std::string before = path.substr(0, path.size() - removed_mark.size());
    if (digests_.contains(before)) {
      if (!changed_) changed_ = was_changed(before);
    } else if (std::ranges::find(removed_, before) == removed_.end()) {
      removed_.push_back(before);
    }
    return;
  }
  if (digests_.contains(path)) return;  // changed() compares it at the end
  const auto part = files_.add(path);
  if (part) digests_.emplace(path, part->digest);
  if (!part && !changed_) changed_ = part.error().what;
}

std::vector<Part> LoadedFiles::parts() const {
  const std::lock_guard lock(mutex_);
  const auto part_of = [](const std::string& path, const std::string& digest) {
    return Part{std::filesystem::path(path).filename().string(), {}, digest};
  };
  std::vector<Part> parts;
  for (const auto& [path, digest] : digests_)
    parts.push_back(part_of(path, digest));
  for (const std::string& path : removed_)
    parts.push_back(part_of(path, {}));
  const auto key = [](const Part& part) { return std::tie(part.name, part.digest); };
  std::ranges::sort(parts, {}, key);
  const auto repeated = std::ranges::unique(parts);
  parts.erase(repeated.begin(), repeated.end());
  return parts;
}

bool LoadedFiles::has(std::string_view digest) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(digests_, [digest](const auto& each) { return each.second == digest; });
}

std::optional<std::string> LoadedFiles::changed() const {
  if (has_failed_) return "certile could not list the files that the backend loaded";
  const std::lock_guard lock(mutex_);
  return changed_ ? changed_ : files_.changed();
}

}  // namespace certile::conformance
