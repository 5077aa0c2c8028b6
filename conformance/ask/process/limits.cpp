#include "conformance/ask/process/limits.hpp"

#include <unistd.h>

#include <fstream>

namespace certile::conformance {
namespace {

constexpr bool has_address_sanitizer =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

constexpr rlim_t own_memory = 256 << 20;

// Returns the bytes that a preloaded sanitizer has mapped as its shadow, which the system counts as written;
// 0 if what is mapped is no more than any program needs.
rlim_t preloaded_shadow() {
  std::ifstream file("/proc/self/statm");
  rlim_t data = 0;
  for (int field = 0; field < 6; ++field)
    file >> data;
  data *= static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  constexpr rlim_t largest_usual = rlim_t{1} << 40;
  return file && data > largest_usual ? data : 0;
}

}  // namespace

void limit_resource(__rlimit_resource_t resource, rlim_t value) noexcept {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

void limit_writable_memory(std::uint64_t bytes) noexcept {
  if (!has_address_sanitizer) limit_resource(RLIMIT_DATA, bytes + own_memory + preloaded_shadow());
}

}  // namespace certile::conformance
