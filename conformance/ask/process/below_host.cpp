#include "conformance/ask/process/below_host.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/ask/process/host_options.hpp"
#include "conformance/ask/process/keep.hpp"

namespace certile::conformance {
namespace {

std::string contents(pid_t process, const char* name) {
  const std::string path = "/proc/" + std::to_string(process) + "/" + name;
  std::ifstream file(path);
  std::string content;
  for (std::array<char, 4096> piece; file.read(piece.data(), piece.size()), file.gcount() > 0;)
    content.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  // A process that cannot be read may be a host, and then certile must not answer.
  if (file.bad()) throw std::runtime_error("cannot read " + path);
  return content;
}

// Returns the fourth field, after a name in brackets that may hold anything; 0 if there is no such process.
pid_t parent_of(pid_t process) {
  const std::string status = contents(process, "stat");
  const std::size_t name_end = status.rfind(')');
  if (name_end == std::string::npos || name_end + 4 > status.size()) return 0;
  return static_cast<pid_t>(std::stol(status.substr(name_end + 4)));
}

// Compares the last words, because an emulator's path and options come before the program's words.
bool is_host_or_keeper(pid_t process) {
  std::string line = contents(process, "cmdline");
  std::vector<char*> words;
  for (std::size_t at = 0; at < line.size(); at = line.find('\0', at) + 1)
    words.push_back(line.data() + at);
  constexpr std::size_t words_of_host = 8, words_of_keeper = 5;
  const std::span<char* const> all(words);
  if (all.size() > words_of_keeper && parse_keep_arguments(all.last(words_of_keeper))) return true;
  return all.size() > words_of_host && std::string_view(all[all.size() - words_of_host]) == "host" &&
         parse_host_arguments(all.last(words_of_host));
}

}  // namespace

bool is_below_a_host() {
  // In a namespace of processes the host is number 1.
  for (pid_t ancestor = parent_of(getpid()); ancestor > 0; ancestor = parent_of(ancestor))
    if (is_host_or_keeper(ancestor)) return true;
  return false;
}

}  // namespace certile::conformance
