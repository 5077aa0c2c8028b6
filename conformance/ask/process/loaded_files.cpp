#include "conformance/ask/process/loaded_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/emulator.hpp"
#include "conformance/ask/process/nameless_copy.hpp"
#include "conformance/facts/environment.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {

bool WatchedFiles::Identity::operator==(const Identity& other) const noexcept {
  return device == other.device && inode == other.inode && size == other.size &&
         modified.tv_sec == other.modified.tv_sec && modified.tv_nsec == other.modified.tv_nsec;
}

std::optional<WatchedFiles::Identity> WatchedFiles::identity_of(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, status.st_size, status.st_mtim};
}

Result<Part> WatchedFiles::read(const std::string& path, Identity& identity) {
  const auto unreadable = [&](const std::string& why) {
    return Error{Error::Code::io, "cannot read " + path + ": " + why};
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return unreadable(std::generic_category().message(errno));
  const auto before = identity_of(descriptor);
  auto digest = before ? sha256_of_descriptor(descriptor, path) : unreadable("it is not a file");
  const auto after = identity_of(descriptor);
  close(descriptor);
  if (!digest) return digest.error();
  if (!after || !(*after == *before)) return unreadable("it changes while it is read");
  identity = *before;
  return Part{path, {}, *std::move(digest)};
}

Result<Part> WatchedFiles::add(const std::string& path) {
  if (const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); descriptor >= 0) {
    const auto identity = identity_of(descriptor);
    close(descriptor);
    const auto known = identity ? std::ranges::find(identities_, *identity) : identities_.end();
    if (known != identities_.end()) return parts_[static_cast<std::size_t>(known - identities_.begin())];
  }
  Identity identity;
  auto part = read(path, identity);
  if (!part) return part.error();
  parts_.push_back(*part);
  identities_.push_back(identity);
  return *part;
}

std::optional<std::string> WatchedFiles::changed() const {
  for (std::size_t index = 0; index < parts_.size(); ++index) {
    Identity now;
    const auto part = read(parts_[index].name, now);
    if (part && now == identities_[index] && part->digest == parts_[index].digest) continue;
    return was_changed(parts_[index].name);
  }
  return std::nullopt;
}

std::string was_changed(const std::string& path) {
  return path +
         " was changed while it was judged, so the result belongs to no file; certify it again once it is "
         "finished";
}

namespace {

// The words that the kernel puts behind the path of a file without a name.
constexpr std::string_view removed_mark = " (deleted)";

std::set<MappedCode> code_of(pid_t process, bool all) {
  std::set<MappedCode> mapped;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (auto code = mapped_code(line, all)) {
      code->path = path_from_here(*code);
      mapped.insert(*std::move(code));
    }
  return mapped;
}

}  // namespace

std::string path_from_here(const MappedCode& code) {
  struct stat file {};
  const auto is_the_file = [&](const std::string& path) {
    return stat(path.c_str(), &file) == 0 && code.identity.ends_with(" " + std::to_string(file.st_ino));
  };
  for (std::size_t at = 0; at < code.path.size();
       at = std::min(code.path.find('/', at + 1), code.path.size()))
    if (std::string path = code.path.substr(at); is_the_file(path)) return path;
  return code.path;
}

std::optional<MappedCode> mapped_code(std::string_view line, bool all) {
  // 7f0c5a000000-7f0c5a021000 r-xp 00000000 08:01 1234                       /usr/lib/libm.so.6
  constexpr std::size_t fields = 5;
  std::array<std::string_view, fields> words;
  for (std::string_view& word : words) {
    const std::size_t end = std::min(line.find(' '), line.size());
    word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  const auto& [addresses, rights, offset, device, inode] = words;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const bool is_code = rights.find('x') != rights.npos;
  const bool is_file = line.starts_with('/');
  const bool is_on_disk = is_file && !line.ends_with(removed_mark) && (is_code || !line.starts_with("/dev/"));
  // With data, the code that an emulator makes is left out.
  if (all ? !is_on_disk : !is_code) return std::nullopt;
  for (const std::string_view kernels : {"[vdso]", "[vsyscall]", "[uprobes]"})
    if (line == kernels) return std::nullopt;
  return MappedCode{std::string(is_file ? line : ""), std::string(device) + " " + std::string(inode)};
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
  std::set<MappedCode> mapped;
  for (const pid_t process : descendants_of(ancestor))
    mapped.merge(code_of(process, all));
  const std::lock_guard lock(mutex_);
  for (const MappedCode& code : mapped)
    note_code(code);
}

void LoadedFiles::note_code(const MappedCode& code) {
  const std::string& path = code.path;
  if (is_nameless_copy(code.identity)) return;  // of the host, whose file has its digest
  std::error_code none;
  const auto kind = std::filesystem::status(path, none).type();
  if (path.empty() || kind == std::filesystem::file_type::character) {
    has_code_without_file_ = true;
    return;
  }
  if (path.ends_with(removed_mark)) {
    const std::string before = path.substr(0, path.size() - removed_mark.size());
    if (digests_.contains(before)) {
      if (!changed_) changed_ = was_changed(before);
    } else if (std::ranges::find(removed_, before) == removed_.end()) {
      removed_.push_back(before);
    }
    return;
  }
  const auto [known, is_new] = identities_.try_emplace(path, code.identity);
  if (known->second != code.identity && !changed_) changed_ = was_changed(path);
  if (!is_new) return;  // changed() compares it at the end
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
  if (has_code_without_file_) parts.push_back({code_without_file, {}, {}});
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
