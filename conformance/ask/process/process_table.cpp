#include "conformance/ask/process/process_table.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/host_options.hpp"
#include "conformance/facts/environment.hpp"

namespace certile::conformance {

int processes_with(const std::string& word) {
  int found = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator entry("/proc", gone), end; !gone && entry != end;
       entry.increment(gone)) {
    const std::string name = entry->path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
    std::ifstream file(entry->path() / "cmdline");
    // If a process ends while it is read, the stream has an error, and nothing throws.
    std::string words;
    std::getline(file, words, '\n');
    if (words.find(word) != std::string::npos) ++found;
  }
  return found;
}

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
bool is_host(pid_t process) {
  std::string line = contents(process, "cmdline");
  std::vector<char*> words;
  for (std::size_t at = 0; at < line.size(); at = line.find('\0', at) + 1)
    words.push_back(line.data() + at);
  constexpr std::size_t words_of_host = 8;
  const std::span<char* const> all(words);
  return all.size() > words_of_host && std::string_view(all[all.size() - words_of_host]) == "host" &&
         parse_host_arguments(all.last(words_of_host));
}

}  // namespace

bool is_below_a_host() {
  // In a namespace of processes the host is number 1.
  for (pid_t ancestor = parent_of(getpid()); ancestor > 0; ancestor = parent_of(ancestor))
    if (is_host(ancestor)) return true;
  return false;
}

namespace {

constexpr std::chrono::milliseconds between_looks{50};

// A state of a process or thread, as the system has it.
struct Look {
  char state = 'X';
  OwnTime::Duration computed{0};  // by all its threads, and by its children that have ended
};

Look look_at(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  std::string line;
  std::getline(file, line);
  // The second field is a name in brackets, which may have any characters.
  std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
  Look look;
  std::string unused;
  fields >> look.state;
  constexpr int before_the_times = 10;
  for (int field = 0; field < before_the_times; ++field)
    fields >> unused;
  static const long ticks = sysconf(_SC_CLK_TCK);
  long user = 0, system = 0, user_below = 0, system_below = 0;
  if (fields >> user >> system >> user_below >> system_below)
    look.computed =
        std::chrono::nanoseconds(std::chrono::seconds(user + system + user_below + system_below)) / ticks;
  return look;
}

// Returns the number of the process's threads that compute, or would if they had a processor.
int running_threads_of(const std::string& folder) {
  const std::string threads = folder + "/task/";
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(threads.c_str()), closedir);
  int running = 0;
  while (directory) {
    const dirent* thread = readdir(directory.get());
    if (thread == nullptr) break;
    if (thread->d_name[0] != '.' && look_at(threads + thread->d_name).state == 'R') ++running;
  }
  return running;
}

struct Family {
  int running = 0;  // threads
  OwnTime::Duration computed{0};
};

Family family_of(pid_t process) {
  std::vector<pid_t> members = descendants_of(process);
  members.push_back(process);
  Family family;
  for (const pid_t member : members) {
    const std::string folder = "/proc/" + std::to_string(member);
    family.computed += look_at(folder).computed;
    family.running += running_threads_of(folder);
  }
  return family;
}

}  // namespace

void OwnTime::add(pid_t process, Duration waited) noexcept {
  waited_ += waited;
  if (waited_ < between_looks) return;
  waited = std::exchange(waited_, Duration{0});
  try {
    const Family family = family_of(process);
    const bool is_new = std::exchange(process_, process) != process;
    const Duration before = std::exchange(computed_, family.computed);
    const Duration computed = is_new ? family.computed : std::max(Duration{0}, family.computed - before);
    const int at_once = std::clamp(family.running, 1, processors_allowed());
    // Processes that do not want a processor lack none.
    total_ += family.running == 0 && !is_new ? waited : std::min(waited, computed / at_once);
  } catch (const std::exception&) {
    total_ += waited;  // there is no memory to look
  }
}

}  // namespace certile::conformance
