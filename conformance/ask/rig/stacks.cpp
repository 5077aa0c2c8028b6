#include "conformance/ask/rig/stacks.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <thread>

namespace certile::conformance {
namespace {

constexpr std::size_t stack_size = std::size_t{8} << 20, small_size = std::size_t{1} << 20;

void set_size_for_threads(std::size_t size) noexcept {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, size) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// Returns true if this thread's stack may grow to that size, after raising the limit if that is allowed.
bool has_room() noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= stack_size) return true;
  const rlimit wanted{stack_size, std::max<rlim_t>(limit.rlim_max, stack_size)};
  return setrlimit(RLIMIT_STACK, &wanted) == 0;
}

}  // namespace

void set_stack_of_threads() noexcept {
  set_size_for_threads(stack_size);
}

void make_stacks_small() noexcept {
  set_size_for_threads(small_size);
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(small_size, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
}

int call_with_stack(const std::function<int()>& function) {
  set_stack_of_threads();
  if (has_room()) return function();
  int result = 0;
  try {
    std::thread([&] { result = function(); }).join();
  } catch (const std::system_error&) {
    return function();  // no thread can be started: the stack may be enough
  }
  return result;
}

[[gnu::noinline]] void overwrite_free_stack() noexcept {
  constexpr std::size_t deep = std::size_t{64} << 10;  // more than the frames of most functions
  std::array<volatile std::uint64_t, deep / sizeof(std::uint64_t)> free;
  for (volatile std::uint64_t& word : free)
    word = 0x69696969'69696969;
}

}  // namespace certile::conformance
