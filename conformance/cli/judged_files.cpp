#include "conformance/cli/judged_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

bool is_file(const std::string& path) {
  std::error_code none;
  return files::is_regular_file(path, none);
}

// Splits a command into words, and removes quotes as a shell does.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool any = false;
  char quote = 0;
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char character = command[at];
    if (quote == 0 && (character == ' ' || character == '\t' || character == '\n')) {
      if (any) words.push_back(std::move(word));
      word.clear();
      any = false;
      continue;
    }
    any = true;
    const bool is_quote = (character == '\'' || character == '"') && (quote == 0 || quote == character);
    if (is_quote) {
      quote = quote == 0 ? character : '\0';
    } else if (character == '\\' && quote != '\'' && at + 1 < command.size()) {
      word += command[++at];
    } else {
      word += character;
    }
  }
  if (any) words.push_back(std::move(word));
  return words;
}

bool is_assignment(const std::string& word) {
  const auto end = word.find('=');
  return end != word.npos && end > 0 && word.find('/') > end;
}

// Returns the path at which a shell finds the program, or the word itself if it finds none.
std::string found_in_path(const std::string& word) {
  const char* path = std::getenv("PATH");
  if (word.find('/') != word.npos || path == nullptr) return word;
  std::string_view rest(path);
  for (;;) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    std::string candidate = (files::path(folder) / word).string();
    if (is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
    if (folder.size() == rest.size()) return word;
    rest.remove_prefix(folder.size() + 1);
  }
}

std::string line_of(const Part& part) {
  return part.digest + "  " + part.name + (part.version.empty() ? "" : "  " + part.version) + "\n";
}

}  // namespace

std::vector<std::string> files_of_command(const std::string& command) {
  std::vector<std::string> found;
  bool is_program_known = false, is_redirected = false;
  for (const std::string& word : words_of(command)) {
    // A file that the output is redirected to is not a part of the program.
    if (std::exchange(is_redirected, word.ends_with('>'))) continue;
    if (!is_program_known && is_assignment(word)) continue;
    const std::string path = is_program_known ? word : found_in_path(word);
    is_program_known = true;
    const std::string before_colon = path.substr(0, path.rfind(':'));
    for (const std::string& candidate : {path, before_colon})
      if (is_file(candidate)) {
        if (std::ranges::find(found, candidate) == found.end()) found.push_back(candidate);
        break;
      }
  }
  return found;
}

bool JudgedFiles::Identity::operator==(const Identity& other) const noexcept {
  const auto same_time = [](const timespec& left, const timespec& right) {
    return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
  };
  return device == other.device && inode == other.inode && size == other.size &&
         same_time(modified, other.modified) && same_time(altered, other.altered);
}

Result<Part> JudgedFiles::read(const std::string& path, Identity& identity) {
  const auto unreadable = [&](const std::string& why) {
    return Error{Error::Code::io, "cannot read " + path + ": " + why};
  };
  const auto system_reason = [&] { return unreadable(std::generic_category().message(errno)); };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_reason();
  const auto look = [&]() -> std::optional<Identity> {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return Identity{status.st_dev, status.st_ino, status.st_size, status.st_mtim, status.st_ctim};
  };
  const auto before = look();
  auto digest = before ? sha256_of_descriptor(descriptor, path) : unreadable("it is not a file");
  const auto after = look();
  close(descriptor);
  if (!digest) return digest.error();
  if (!after || !(*after == *before)) return unreadable("it changes while it is read");
  identity = *before;
  return Part{path, {}, *std::move(digest)};
}

Result<Done> JudgedFiles::add(const std::string& path) {
  Identity identity;
  auto part = read(path, identity);
  if (!part) return part.error();
  parts_.push_back(*std::move(part));
  identities_.push_back(identity);
  return Done{};
}

Result<JudgedFiles> JudgedFiles::of(const std::string& spelling) {
  JudgedFiles judged;
  judged.command_ = backends::worker_command(spelling);
  std::vector<std::string> paths{backends::is_library(spelling) ? spelling : "/proc/self/exe"};
  if (judged.command_) paths = files_of_command(*judged.command_);
  for (const std::string& path : paths)
    if (auto added = judged.add(path); !added) return added.error();
  return judged;
}

std::string JudgedFiles::digest(const Claim& claim) const {
  if (!command_) return parts_.front().digest;
  std::string lines;
  for (const std::vector<Part>* parts : {&parts_, &claim.parts})
    for (const Part& part : *parts)
      lines += line_of(part);
  return sha256_hex(lines.empty() ? *command_ : lines);
}

std::optional<std::string> JudgedFiles::changed() const {
  for (std::size_t index = 0; index < parts_.size(); ++index) {
    Identity now;
    const auto part = read(parts_[index].name, now);
    if (part && now == identities_[index] && part->digest == parts_[index].digest) continue;
    return parts_[index].name +
           " was changed while it was judged, so the result belongs to no file; certify it again once it is "
           "finished";
  }
  return std::nullopt;
}

}  // namespace certile::conformance
