// The kernel on several threads.  A small output is not divided, because it is written before another
// thread has begun; CERTILE_THREADS_FROM=BYTES in the environment sets the smallest output that is divided.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "backends/builtin/builtin.hpp"
#include "backends/kernel/chunks.hpp"
#include "backends/kernel/environment.hpp"
#include "backends/kernel/tile_elements.hpp"
#include "backends/kernel/tile_packed.hpp"

namespace certile::backends {
namespace {

// The one team of threads that a process has at work.
class Team {
 public:
  // Returns false if there is no team: another call has it and its threads leave no processor free, or this
  // process was forked by one that had a team, whose threads a fork does not inherit.
  bool take() noexcept {
    if (taken_.exchange(true, std::memory_order_acquire)) return false;
    const pid_t process = getpid();
    if (process_ == 0) process_ = process;
    if (process_ == process) return true;
    give_back();
    return false;
  }
  void give_back() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
  pid_t process_ = 0;  // of the first owner of a team
};

Team& team() {
  static Team only;
  return only;
}

// A kernel, and the way in which its work is divided.
class Division {
 public:
  Division(const kernel::ByteKernel& kernel, int threads)
      : kernel_(kernel),
        threads_(threads),
        worth_threads_(kernel::bytes_in_environment("CERTILE_THREADS_FROM").value_or(1024 * 1024)) {}

  void move(const TilePlan& plan, const certile_tensor& data, const certile_tensor& out) const {
    if (threads_ == 1 || out.byte_size < worth_threads_ || !team().take())
      return kernel::move_elements(&kernel_, plan, data, out);
    const kernel::Stores stores = kernel::stores_for(out.byte_size, data.byte_size, threads_);
    // To write a period takes far longer than to copy it, so a thread writes one, and copies as many as it
    // can.
    const std::uint64_t period = kernel::copied_period(plan);
    const bool is_copied = period > 0 && period < 8 * out.byte_size / static_cast<std::uint64_t>(threads_);
    const auto ranges = is_copied ? kernel::Ranges::one : kernel::Ranges::several;
    const kernel::Chunks chunks(reinterpret_cast<std::uintptr_t>(out.data), out.byte_size, threads_, ranges);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_)
    for (std::uint64_t index = 0; index < chunks.count(); ++index)
      kernel::move_range(kernel_, plan, data, out, {chunks.begin(index), chunks.begin(index + 1)}, stores);
    team().give_back();
  }

 private:
  const kernel::ByteKernel& kernel_;
  int threads_;  // the most that may be at work at once
  std::uint64_t worth_threads_;
};

}  // namespace

bool supports_openmp(std::string_view) {
  return kernel::best_byte_kernel() != nullptr;
}

std::int32_t open_openmp(std::string_view, certile_plugin& table) {
  const kernel::ByteKernel* const kernel = kernel::best_byte_kernel();
  if (kernel == nullptr) return CERTILE_UNSUPPORTED;
  const int threads = std::min(omp_get_max_threads(), omp_get_thread_limit());
  return fill_table(
      table, {"openmp", "1, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), true,
              [](const void* state, const TilePlan& plan, const certile_tensor& data,
                 const certile_tensor& out) { static_cast<const Division*>(state)->move(plan, data, out); },
              std::make_shared<const Division>(*kernel, threads)});
}

}  // namespace certile::backends
