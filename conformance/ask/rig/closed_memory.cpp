#include "conformance/ask/rig/closed_memory.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace certile::conformance {
namespace {

// Returns true if a process traces this one: it sees everything anyway, and closing would hinder it.
bool is_traced() noexcept {
  std::FILE* status = std::fopen("/proc/self/status", "re");
  if (status == nullptr) return false;
  int tracer = 0;
  for (std::array<char, 256> line{}; std::fgets(line.data(), line.size(), status) != nullptr;)
    if (std::sscanf(line.data(), "TracerPid: %d", &tracer) == 1) break;
  std::fclose(status);
  return tracer != 0;
}

void give_up_capability(unsigned capability) noexcept {
  prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) return;
  __user_cap_data_struct& set = sets[capability / 32];
  const __u32 others = ~(__u32{1} << capability % 32);
  set.effective &= others;
  set.permitted &= others;
  set.inheritable &= others;
  syscall(SYS_capset, &header, sets.data());
}

}  // namespace

void close_own_memory() noexcept {
  static const bool is_open_to_a_debugger = is_traced();
  if (!is_open_to_a_debugger) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void open_own_memory_alone() noexcept {
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  give_up_capability(CAP_SYS_PTRACE);
}

}  // namespace certile::conformance
