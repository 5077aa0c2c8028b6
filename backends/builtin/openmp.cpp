// The byte kernel on several threads.  A small output is not divided, because it is written before another
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
#include "backends/kernel/tile_bytes.hpp"
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
    const bool threads_pay = threads_ > 1 && out.byte_size >= worth_threads_ && team().take();
    const Job job{plan,           static_cast<const std::byte*>(data.data),
                  data.byte_size, static_cast<std::byte*>(out.data),
                  out.byte_size,  threads_pay ? threads_ : 1};
    if (plan.run_bits % 8 == 0)
      tile_whole_bytes(job);
    else
      tile_bits(job, data.element_type == CERTILE_U1);
    if (threads_pay) team().give_back();
  }

 private:
  struct Job {
    const TilePlan& plan;
    const std::byte* from;
    std::uint64_t data_bytes;
    std::byte* to;
    std::uint64_t bytes;
    int threads;
  };

  void tile_whole_bytes(const Job& job) const noexcept {
    if (job.threads == 1) return kernel_.tile(job.plan, job.from, job.to);
    const kernel::Stores stores = kernel::stores_for(job.bytes, job.data_bytes, job.threads);
    const kernel::Chunks chunks(reinterpret_cast<std::uintptr_t>(job.to), job.bytes, job.threads);
#pragma omp parallel for schedule(dynamic, 1) num_threads(job.threads)
    for (std::uint64_t index = 0; index < chunks.count(); ++index)
      kernel_.tile_range(job.plan, job.from, job.to, chunks.begin(index), chunks.begin(index + 1), stores);
  }

  // Cuts the outermost level into its blocks or its repeats.  Eight of either are whole bytes.
  void tile_bits(const Job& job, bool high_bit_first) const noexcept {
    const std::byte* const from = job.from;
    std::byte* const to = job.to;
    const TilePlan& plan = job.plan;
    const kernel::Stores stores = kernel::stores_for(job.bytes, job.data_bytes, job.threads);
    if (job.threads == 1 || plan.count() == 0)
      return kernel::tile_packed(plan, high_bit_first, from, to, kernel_, stores);
    const TilePlan::Level whole = plan.levels()[0];
    const bool repeated = whole.repeats > 1;
    const std::uint64_t pieces = repeated ? whole.repeats : whole.extent;
    std::uint64_t piece_data = plan.run_bits,
                  piece = plan.run_bits;  // bits of one piece, which are the bytes of eight
    for (int level = 1; level < plan.count(); ++level) {
      piece_data *= plan.levels()[level].extent;
      piece *= plan.levels()[level].extent * plan.levels()[level].repeats;
    }
    if (repeated) {
      piece *= whole.extent;
      piece_data = 0;  // all pieces are made of the same data
    }
    const std::uint64_t wanted = std::uint64_t{8} * static_cast<std::uint64_t>(job.threads);
    const std::uint64_t each = 8 * std::max(pieces / 8 / wanted, least_part / piece + 1);
    const std::uint64_t parts = pieces / each + (pieces % each != 0);
#pragma omp parallel for schedule(dynamic, 1) num_threads(job.threads)
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t first = part * each, count = std::min(each, pieces - first);
      TilePlan cut = plan;
      (repeated ? cut.levels()[0].repeats : cut.levels()[0].extent) = count;
      cut.output_bits = count * piece;
      kernel::tile_packed(cut, high_bit_first, from + first / 8 * piece_data, to + first / 8 * piece, kernel_,
                          stores);
    }
  }

  // Bytes; a smaller part is sooner written than begun.
  static constexpr std::uint64_t least_part = 32 * 1024;

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
