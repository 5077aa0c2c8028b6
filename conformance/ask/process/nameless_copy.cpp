#include "conformance/ask/process/nameless_copy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <mutex>

#include "conformance/ask/process/surroundings.hpp"

namespace certile::conformance {
namespace {

// Returns the descriptor of a copy; below 0 if the system refuses.
int copy_of(const std::string& path) {
  const int original = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (original < 0) return -1;
  struct stat status {};
  int copy = fstat(original, &status) == 0 ? memfd_create(program_of_a_user, MFD_CLOEXEC) : -1;
  off_t done = 0;
  while (copy >= 0 && done < status.st_size) {
    if (sendfile(copy, original, &done, static_cast<std::size_t>(status.st_size - done)) > 0) continue;
    close(copy);
    copy = -1;
  }
  close(original);
  return copy;
}

std::string identity_of(int descriptor) {
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return {};
  std::array<char, 48> words;
  const int size = std::snprintf(words.data(), words.size(), "%02x:%02x %llu", major(status.st_dev),
                                 minor(status.st_dev), static_cast<unsigned long long>(status.st_ino));
  return {words.data(), static_cast<std::size_t>(size)};
}

// The copies by their paths.
struct Copies {
  struct Copy {
    int descriptor = -1;
    std::string identity;
  };
  std::mutex mutex;
  std::map<std::string, Copy> made;
};

Copies& copies() {
  static Copies all;
  return all;
}

}  // namespace

int nameless_copy(const std::string& path) {
  const std::lock_guard lock(copies().mutex);
  const auto [known, is_new] = copies().made.try_emplace(path);
  if (is_new) {
    known->second.descriptor = copy_of(path);
    known->second.identity = identity_of(known->second.descriptor);
  }
  return known->second.descriptor;
}

bool is_nameless_copy(const std::string& identity) {
  const std::lock_guard lock(copies().mutex);
  return std::ranges::any_of(copies().made,
                             [&identity](const auto& each) { return each.second.identity == identity; });
}

}  // namespace certile::conformance
