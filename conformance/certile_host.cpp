#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "backends/plugin/plugin.hpp"
#include "backends/registry/registry.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/ask/rig/stacks.hpp"

// certile-host, the host process of shared libraries.  [CT-SELF] Of certile it holds the rig and the C header
// alone, no oracle and no backend: there is nothing in its process that a library could pass its calls on to.

namespace certile::conformance {
namespace {

Result<backends::Plugin> open_library(std::string_view spelling) {
  if (backends::is_library(spelling)) return backends::Plugin::load(spelling);
  return Error{Error::Code::unsupported, "certile-host loads shared libraries, and nothing else"};
}

// Notes that a file was opened to write to, or refused to be; devices and /proc are no files.
void note_opening(const char* path, int flags, bool is_open) {
  const int error = errno;
  const bool is_refused = !is_open && (error == EACCES || error == EPERM || error == EROFS);
  const std::string_view name(path == nullptr ? "" : path);
  if (written_files != nullptr && (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0 && (is_open || is_refused) &&
      !name.empty() && (!name.starts_with("/dev/") || name.starts_with("/dev/shm/")) &&
      !name.starts_with("/proc/"))
    written_files->note(name, is_refused);
  errno = error;
}

[[maybe_unused]] int open_at(int folder, const char* path, int flags, mode_t mode) {
  const int opened = static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
  note_opening(path, flags, opened >= 0);
  return opened;
}

[[maybe_unused]] std::FILE* open_stream(const char* path, const char* mode) {
  using Open = std::FILE* (*)(const char*, const char*);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "fopen"));
  std::FILE* const stream = next(path, mode);
  const bool writes = std::string_view(mode).find_first_of("wa+") != std::string_view::npos;
  note_opening(path, writes ? O_WRONLY : O_RDONLY, stream != nullptr);
  return stream;
}

}  // namespace
}  // namespace certile::conformance

// The C library's functions that open files, which a library in this process finds here first. Those with a
// mode have it in the register of a third argument. Sanitizers have their own.
#if defined(__has_feature)
#define CERTILE_HAS_SANITIZER(name) __has_feature(name)
#else
#define CERTILE_HAS_SANITIZER(name) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !CERTILE_HAS_SANITIZER(address_sanitizer) && !CERTILE_HAS_SANITIZER(thread_sanitizer)
extern "C" {
int host_open(const char* path, int flags, mode_t mode) __asm__("open");
int host_open64(const char* path, int flags, mode_t mode) __asm__("open64") __attribute__((alias("open")));
int host_openat(int folder, const char* path, int flags, mode_t mode) __asm__("openat");
int host_openat64(int folder, const char* path, int flags, mode_t mode) __asm__("openat64")
    __attribute__((alias("openat")));
int host_creat(const char* path, mode_t mode) __asm__("creat");
int host_creat64(const char* path, mode_t mode) __asm__("creat64") __attribute__((alias("creat")));
std::FILE* host_fopen(const char* path, const char* mode) __asm__("fopen");
std::FILE* host_fopen64(const char* path, const char* mode) __asm__("fopen64")
    __attribute__((alias("fopen")));

int host_open(const char* path, int flags, mode_t mode) {
  return certile::conformance::open_at(AT_FDCWD, path, flags, mode);
}
int host_openat(int folder, const char* path, int flags, mode_t mode) {
  return certile::conformance::open_at(folder, path, flags, mode);
}
int host_creat(const char* path, mode_t mode) {
  return certile::conformance::open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
std::FILE* host_fopen(const char* path, const char* mode) {
  return certile::conformance::open_stream(path, mode);
}
}
#endif

int main(int argument_count, char** arguments) {
  return certile::conformance::call_with_stack([&] {
    return certile::conformance::run_host(argument_count, arguments, certile::conformance::open_library);
  });
}
