#include "conformance/ask/process/own_time.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/facts/processors.hpp"

namespace certile::conformance {
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
