#include "conformance/ask/sandbox/namespaces.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

#include "conformance/ask/sandbox/layers.hpp"

namespace certile::conformance {
namespace {

bool write_to(const std::string& path, std::string_view text) noexcept {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int reason = errno;
  close(file);
  errno = reason;
  return written;
}

// Returns a map in which each user or group keeps its number: root may map all that exist, others themselves.
std::string map_of(const char* kind, id_t own) {
  std::string map;
  std::ifstream file(std::string("/proc/self/") + kind);
  for (std::string inside, outside, count; geteuid() == 0 && file >> inside >> outside >> count;)
    map.append(inside).append(" ").append(inside).append(" ").append(count).append("\n");
  return map.empty() ? std::to_string(own) + " " + std::to_string(own) + " 1\n" : map;
}

// A process outside of the new user namespace, whose rights writing the maps needs.
class MapWriter {
 public:
  Result<Done> start() {
    const std::string users = map_of("uid_map", geteuid()), groups = map_of("gid_map", getegid());
    const std::string folder = "/proc/" + std::to_string(getpid()) + "/";
    if (pipe2(go_.data(), O_CLOEXEC) != 0) return error_of("pipe");
    writer_ = fork();
    if (writer_ < 0) return error_of("fork");
    if (writer_ > 0) return Done{};
    close(go_[1]);
    char moved = 0;
    if (read(go_[0], &moved, 1) != 1) _exit(0);
    // An ordinary user may map a group only where no process can leave its groups.
    const bool written = (geteuid() == 0 || write_to(folder + "setgroups", "deny")) &&
                         write_to(folder + "uid_map", users) && write_to(folder + "gid_map", groups);
    _exit(written ? 0 : errno);
  }
  // Lets the maps be written if this process `has_moved`, and waits.
  Result<Done> finish(bool has_moved) {
    const char moved = 1;
    const bool told = !has_moved || write(go_[1], &moved, 1) == 1;
    close(go_[0]);
    close(go_[1]);
    int status = 0;
    const bool waited = waitpid(writer_, &status, 0) == writer_;
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
    return told && waited && errno == 0 ? Result<Done>(Done{}) : error_of("cannot map users");
  }

 private:
  std::array<int, 2> go_{-1, -1};
  pid_t writer_ = -1;
};

Result<Done> set_read_only(const char* path, unsigned flags) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  // glibc has a function for this call since 2.36, and an installed certile needs no glibc as new as that.
  if (syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0) return Done{};
  return error_of(std::string("cannot make ") + path + " read-only");
}

}  // namespace

Result<Done> make_namespaces(Layers layers) {
  int flags = 0;
  if (has(layers, Layer::user)) flags |= CLONE_NEWUSER;
  if (has(layers, Layer::mounts)) flags |= CLONE_NEWNS;
  if (has(layers, Layer::processes)) flags |= CLONE_NEWPID;
  if (has(layers, Layer::messages)) flags |= CLONE_NEWIPC;
  if (has(layers, Layer::network)) flags |= CLONE_NEWNET;
  if (flags == 0) return Done{};
  if (!has(layers, Layer::user))
    return unshare(flags) == 0 ? Result<Done>(Done{}) : error_of("cannot create the namespace");
  MapWriter writer;
  if (auto started = writer.start(); !started) return started;
  const bool has_moved = unshare(flags) == 0;
  Error refused = error_of("cannot create the namespace");
  auto mapped = writer.finish(has_moved);
  return has_moved ? mapped : refused;
}

Result<Done> mount_read_only(const std::string& folder) {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return error_of("cannot mount");
  if (auto done = set_read_only("/", AT_RECURSIVE); !done) return done;
  const std::string options = "mode=0700,size=" + std::to_string(largest_file);
  if (mount("certile", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) != 0)
    return error_of("cannot mount a folder in memory");
  return Done{};
}

bool has_limit_of_namespace() noexcept {
  // Before 6.14 the same file holds the limit of the whole machine.
  utsname system{};
  int major = 0, minor = 0;
  return uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
         (major > 6 || (major == 6 && minor >= 14));
}

Result<Done> mount_processes(Layers layers) {
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return error_of("cannot mount /proc");
  if (has(layers, Layer::number) && has_limit_of_namespace() &&
      !write_to("/proc/sys/kernel/pid_max", std::to_string(most_processes)))
    return error_of("cannot limit the number of processes");
  return set_read_only("/proc", 0);
}

}  // namespace certile::conformance
