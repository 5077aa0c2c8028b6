#include <atomic>

#include "reference/values/oracle_calls.hpp"

namespace certile {
namespace {

std::atomic<std::uint64_t> calls{0};

}  // namespace

std::uint64_t oracle_calls() noexcept {
  return calls.load(std::memory_order_relaxed);
}

void count_oracle_call() noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace certile
