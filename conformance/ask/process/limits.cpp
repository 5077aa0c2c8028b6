#include "conformance/ask/process/limits.hpp"

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

}  // namespace

void limit_resource(__rlimit_resource_t resource, rlim_t value) noexcept {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

void limit_writable_memory(std::uint64_t bytes) noexcept {
  if (!has_address_sanitizer) limit_resource(RLIMIT_DATA, bytes + own_memory);
}

}  // namespace certile::conformance
