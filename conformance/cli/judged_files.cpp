#include "conformance/cli/judged_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/shell_words.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

bool is_file(const std::string& path) {
  std::error_code none;
  return files::is_regular_file(path, none);
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

std::vector<std::string> files_of(const std::string& spelling) {
  const auto command = backends::worker_command(spelling);
  if (!command) return {backends::is_library(spelling) ? spelling : "/proc/self/exe"};
  std::vector<std::string> found;
  bool is_program_known = false, is_redirected = false;
  for (const std::string& word : shell_words(*command).words) {
    // A file that the output is redirected to is not a part of the program.
    if (std::exchange(is_redirected, word.ends_with('>'))) continue;
    if (!is_program_known && (word == "exec" || is_assignment(word))) continue;
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

Result<JudgedFiles> JudgedFiles::of(const std::string& spelling) {
  JudgedFiles judged;
  judged.command_ = backends::worker_command(spelling);
  for (const std::string& path : files_of(spelling))
    if (auto added = judged.files_.add(path); !added) return added.error();
  return judged;
}

std::string JudgedFiles::digest(const Claim& claim) const {
  if (!command_) return parts().front().digest;
  std::string lines;
  for (const std::vector<Part>* parts : {&parts(), &claim.parts})
    for (const Part& part : *parts)
      lines += line_of(part);
  return sha256_hex(lines.empty() ? *command_ : lines);
}

std::optional<std::string> JudgedFiles::changed_since(const LoadedFiles& loaded) const {
  if (auto changed = files_.changed()) return changed;
  if (auto changed = loaded.changed()) return changed;
  const Part& binary = parts().front();
  if (command_ || loaded.parts().empty() || loaded.has(binary.digest)) return std::nullopt;
  return "the processes loaded another file than " + binary.name + ", so the result does not belong to it";
}

}  // namespace certile::conformance
