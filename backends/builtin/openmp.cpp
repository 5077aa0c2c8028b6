// The kernel on several threads.  A small output is not divided, because it is written before another
// thread has begun; CERTILE_THREADS_FROM=BYTES in the environment sets the smallest output that is divided.
#include <hwy/cache_control.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "backends/builtin/builtin.hpp"
#include "backends/kernel/chunks.hpp"
#include "backends/kernel/environment.hpp"
#include "backends/kernel/tile_elements.hpp"
#include "backends/kernel/tile_packed.hpp"

namespace certile::backends {
namespace {

// A call cut into ranges, which any thread may take.
struct Job {
  const kernel::ByteKernel& kernel;
  const TilePlan& plan;
  const certile_tensor& data;
  const certile_tensor& out;
  const kernel::Chunks chunks;
  const kernel::Stores stores;
  std::atomic<std::uint64_t> next{0};

  // Writes ranges until none is left.
  void work() {
    for (std::uint64_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < chunks.count();)
      kernel::move_range(kernel, plan, data, out, {chunks.begin(index), chunks.begin(index + 1)}, stores);
  }
};

// The threads that help a caller: a parallel region that lasts until the end, below a separate thread.  Its
// threads sleep between calls, and a caller waits for none that has begun nothing.  Where a region for each
// call ends, its threads spin: one that shares a processor with the caller, or that another program has put
// off, costs the call a time slice.
class Team {
 public:
  explicit Team(int helpers) : helpers_(helpers) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    if (!foreman_.joinable()) return;
    if (process_ != getpid()) {  // a fork does not inherit the thread
      foreman_.detach();
      return;
    }
    ends_.store(true, std::memory_order_relaxed);
    announce();
    foreman_.join();
  }

  // Returns false if no one helps: another call has the team and its threads leave no processor free, this
  // process was forked by the one that has the threads, or the system gives none.
  bool take() noexcept {
    if (taken_.exchange(true, std::memory_order_acquire)) return false;
    if (foreman_.joinable() ? process_ == getpid() : start()) return true;
    give_back();
    return false;
  }
  void give_back() noexcept { taken_.store(false, std::memory_order_release); }

  // Does all of the job, with the helpers that have time for it.
  void run(Job& job) noexcept {
    job_ = &job;
    at_work_.store(0, std::memory_order_release);
    announce();
    job.work();
    std::uint32_t left = at_work_.fetch_or(closed, std::memory_order_acq_rel) | closed;
    for (int turn = 0; left != closed; left = at_work_.load(std::memory_order_acquire))
      if (turn++ < moment)
        hwy::Pause();
      else
        at_work_.wait(left, std::memory_order_acquire);
  }

 private:
  static constexpr std::uint32_t closed = std::uint32_t{1} << 31;
  static constexpr int moment = 1000;  // some ten microseconds, which it takes to wake a thread

  bool start() noexcept try {
    process_ = getpid();
    foreman_ = std::thread([this] {
#pragma omp parallel num_threads(helpers_)
      help();
    });
    return true;
  } catch (const std::system_error&) {
    return false;
  }

  void announce() noexcept {
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
  }

  void help() noexcept {
    for (std::uint32_t seen = 0;;) {
      seen = call_after(seen);
      if (ends_.load(std::memory_order_relaxed)) return;
      if (!join()) continue;
      job_->work();
      if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == closed + 1) at_work_.notify_one();
    }
  }

  // Waits for another call than the one of that number, and returns the number of the latest.
  std::uint32_t call_after(std::uint32_t seen) const noexcept {
    for (int turn = 0; turn < moment && calls_.load(std::memory_order_acquire) == seen; ++turn)
      hwy::Pause();
    calls_.wait(seen, std::memory_order_acquire);
    return calls_.load(std::memory_order_acquire);
  }

  // Returns false if the caller no longer waits for those who have not begun.
  bool join() noexcept {
    std::uint32_t others = at_work_.load(std::memory_order_relaxed);
    while ((others & closed) == 0)
      if (at_work_.compare_exchange_weak(others, others + 1, std::memory_order_acquire)) return true;
    return false;
  }

  const int helpers_;
  std::atomic<bool> taken_{false}, ends_{false};
  std::atomic<std::uint32_t> calls_{0};         // how many there were
  std::atomic<std::uint32_t> at_work_{closed};  // helpers, and whether further ones come too late
  Job* job_ = nullptr;
  pid_t process_ = 0;  // which has the threads
  std::thread foreman_;
};

// A kernel, and the way in which its work is divided.
class Division {
 public:
  Division(const kernel::ByteKernel& kernel, int threads)
      : kernel_(kernel),
        threads_(threads),
        worth_threads_(kernel::bytes_in_environment("CERTILE_THREADS_FROM").value_or(1024 * 1024)),
        team_(threads - 1) {}

  void move(const TilePlan& plan, const certile_tensor& data, const certile_tensor& out) const {
    if (threads_ == 1 || out.byte_size < worth_threads_ || !team_.take())
      return kernel::move_elements(&kernel_, plan, data, out);
    const kernel::Stores stores = kernel::stores_for(out.byte_size, data.byte_size, threads_);
    // To write a period takes far longer than to copy it, so a thread writes one, and copies as many as it
    // can.
    const std::uint64_t period = kernel::copied_period(plan);
    const bool is_copied = period > 0 && period < 8 * out.byte_size / static_cast<std::uint64_t>(threads_);
    const auto ranges = is_copied ? kernel::Ranges::one : kernel::Ranges::several;
    const kernel::Chunks chunks(reinterpret_cast<std::uintptr_t>(out.data), out.byte_size, threads_, ranges);
    Job job{kernel_, plan, data, out, chunks, stores};
    team_.run(job);
    team_.give_back();
  }

 private:
  const kernel::ByteKernel& kernel_;
  int threads_;  // the most that may be at work at once
  std::uint64_t worth_threads_;
  mutable Team team_;
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
