#include "conformance/ask/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/limits.hpp"
#include "conformance/ask/sandbox/call_filter.hpp"
#include "conformance/ask/sandbox/file_rules.hpp"
#include "conformance/ask/sandbox/layers.hpp"
#include "conformance/ask/sandbox/namespaces.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"

namespace certile::conformance {
namespace {

// Closes all descriptors, so that their other ends see when the child closes them, and ends as the child
// does.
[[noreturn]] void wait_and_end_like(pid_t child) noexcept {
  close_range(0, ~0U, 0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end_like(status);
}

// Goes on as the first process of the namespace.
Result<Done> begin_first_process() {
  const pid_t child = fork();
  if (child < 0) return error_of("cannot start a process in the namespace");
  if (child > 0) wait_and_end_like(child);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  return Done{};
}

Result<Done> limit_number(Layers layers) {
  const bool by_namespace = has(layers, Layer::processes) && has_limit_of_namespace();
  // The kernel exempts root, and without a user namespace it counts all processes of the user.
  const bool by_user = has(layers, Layer::user) && geteuid() != 0;
  if (by_user) limit_resource(RLIMIT_NPROC, most_processes);
  if (by_user || by_namespace) return Done{};
  return Error{Error::Code::io, geteuid() == 0 ? "the kernel does not limit root"
                                               : "only all processes of the user can be limited"};
}

rlim_t hard_limit(__rlimit_resource_t resource) noexcept {
  rlimit found{};
  return getrlimit(resource, &found) == 0 ? found.rlim_max : 0;
}

void limit_sizes() noexcept {
  limit_resource(RLIMIT_CORE, 0);
  limit_resource(RLIMIT_FSIZE, largest_file);
  limit_resource(RLIMIT_NOFILE, std::min<rlim_t>(most_open_files, hard_limit(RLIMIT_NOFILE)));
  std::signal(SIGXFSZ, SIG_IGN);  // then writing more is an error, and not the end
}

// Drops all capabilities; root keeps the right to read, so that the same files can be read as without a
// sandbox.
Result<Done> drop_rights() {
  const unsigned kept = geteuid() == 0 ? unsigned{CAP_DAC_READ_SEARCH} : ~0U;
  for (unsigned right = 0; right <= CAP_LAST_CAP; ++right)
    if (right != kept) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) return error_of("cannot read the capabilities");
  for (unsigned word = 0; word < sets.size(); ++word) {
    const __u32 left = kept / 32 == word ? __u32{1} << kept % 32 : 0;
    sets[word] = {sets[word].effective & left, sets[word].permitted & left, 0};
  }
  if (syscall(SYS_capset, &header, sets.data()) != 0) return error_of("cannot drop capabilities");
  return Done{};
}

// Returns the first of these that fails.
template <class... Steps>
Result<Done> in_order(Steps... steps) {
  Result<Done> done = Done{};
  static_cast<void>(((done = steps(), static_cast<bool>(done)) && ...));
  return done;
}

// Returns why these layers cannot be in force together; nothing if they can.
std::optional<std::string> refusal_of(Layers layers, const std::string& folder) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::strerror(errno);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // or an ordinary user could not map itself
    const auto entered = enter_sandbox({layers, folder});
    const std::string answer = entered ? "in force" : entered.error().what;
    _exit(write(ends[1], answer.data(), answer.size()) < 0);
  }
  const int failed = child < 0 ? errno : 0;
  close(ends[1]);
  std::string answer;
  std::array<char, 256> piece;
  for (ssize_t got = 0; (got = read(ends[0], piece.data(), piece.size())) > 0;)
    answer.append(piece.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  if (child < 0) return std::strerror(failed);
  waitpid(child, nullptr, 0);
  if (answer == "in force") return std::nullopt;
  return answer.empty() ? "it ends the process" : answer;
}

}  // namespace

Result<Done> enter_sandbox(const Sandbox& sandbox) {
  const Layers layers = sandbox.layers;
  if (layers == 0) return Done{};
  setenv("HOME", sandbox.folder.c_str(), 1);
  setenv("TMPDIR", sandbox.folder.c_str(), 1);
  const auto if_has = [layers](Layers any, auto step) {
    return [=] { return (layers & any) != 0 ? step() : Result<Done>(Done{}); };
  };
  const Layers by_landlock = bit(Layer::files) | bit(Layer::lengths) | bit(Layer::tcp) | bit(Layer::signals);
  return in_order([&] { return make_namespaces(layers); }, if_has(bit(Layer::processes), begin_first_process),
                  if_has(bit(Layer::mounts), [&] { return mount_read_only(sandbox.folder); }),
                  if_has(bit(Layer::processes), [&] { return mount_processes(layers); }),
                  if_has(bit(Layer::number), [&] { return limit_number(layers); }),
                  if_has(bit(Layer::sizes),
                         [] {
                           limit_sizes();
                           return Result<Done>(Done{});
                         }),
                  if_has(bit(Layer::rights), drop_rights),
                  [] {
                    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? Result<Done>(Done{})
                                                                       : error_of("cannot refuse new rights");
                  },
                  if_has(by_landlock, [&] { return rule_files(layers, sandbox.folder); }),
                  if_has(bit(Layer::calls), filter_calls));
}

Result<SandboxFound> find_sandbox() {
  const auto folder = PrivateFolder::create();
  if (!folder) return folder.error();
  SandboxFound found;
  if (!refusal_of(all_layers, (*folder)->path())) found.layers = all_layers;
  for (std::size_t index = 0; index < layer_count && found.layers != all_layers; ++index) {
    const auto layer = static_cast<Layer>(index);
    if (layer == Layer::processes && !has(found.layers, Layer::mounts)) {
      found.refused.push_back({layer, "it needs a mount namespace"});
      continue;
    }
    const auto why = refusal_of(found.layers | bit(layer), (*folder)->path());
    if (why)
      found.refused.push_back({layer, *why});
    else
      found.layers |= bit(layer);
  }
  return found;
}

}  // namespace certile::conformance
