#pragma once
#include <sys/types.h>

#include <chrono>
#include <string>

namespace certile::conformance {

// Returns the number of this machine's processes with that word in their command line; processes that have
// ended but are not reaped have no command line.
int processes_with(const std::string& word);

// Returns true for a program that descends from a host process: a backend
// started it while being judged.  No process escapes by ending its parent, because a host adopts
// orphans.
bool is_below_a_host();

// A sum of the time that processes take by themselves: what they compute, sleep, or wait for one another, but
// not what they wait for a processor that others use.  So a busy machine brings no limit nearer.
class OwnTime {
 public:
  using Duration = std::chrono::nanoseconds;

  // Adds the processes' part of a wait for a process and its descendants.  They are looked at once there are
  // 50 ms to add.
  void add(pid_t process, Duration waited) noexcept;
  Duration total() const noexcept { return total_; }

 private:
  Duration total_{0};
  Duration waited_{0};  // since the processes were looked at
  pid_t process_ = 0;   // whose time is `computed_`
  Duration computed_{0};
};

}  // namespace certile::conformance
