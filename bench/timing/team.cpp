#include "bench/timing/team.hpp"

#include <pthread.h>

namespace certile::bench {
namespace {

enum ShiftState : int { asleep, on_duty, dismissed };

// Yields the processor now and then, so that a team larger than the machine still finishes.
constexpr int spins_before_yield = 1 << 14;

void relax(int& spins) noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  if (++spins % spins_before_yield == 0) sched_yield();
}

// Binds thread number `thread` to one of the usable processors, in turn.
void bind_to_processor(int thread) noexcept {
  static const std::vector<std::size_t> usable = [] {
    std::vector<std::size_t> all;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (std::size_t processor = 0; processor < CPU_SETSIZE; ++processor)
      if (CPU_ISSET(processor, &allowed)) all.push_back(processor);
    return all;
  }();
  if (usable.empty()) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(usable[static_cast<std::size_t>(thread) % usable.size()], &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

}  // namespace

int usable_processors() noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return CPU_COUNT(&allowed) > 0 ? CPU_COUNT(&allowed) : 1;
}

Team::Team(int threads) {
  for (int thread = 1; thread < threads; ++thread)
    others_.emplace_back([this, thread] { work(thread); });
}

Team::~Team() {
  shift_.store(dismissed);
  shift_.notify_all();
  for (std::thread& other : others_)
    other.join();
}

Team::Shift::Shift(Team& team) : team_(team) {
  CPU_ZERO(&before_);
  pthread_getaffinity_np(pthread_self(), sizeof before_, &before_);
  bind_to_processor(0);
  team_.shift_.store(on_duty);
  team_.shift_.notify_all();
}

Team::Shift::~Shift() {
  team_.shift_.store(asleep);
  pthread_setaffinity_np(pthread_self(), sizeof before_, &before_);
}

void Team::run(Call call, void* context) {
  call_ = call;
  context_ = context;
  busy_.store(static_cast<int>(others_.size()), std::memory_order_relaxed);
  order_.fetch_add(1, std::memory_order_release);
  call(context, 0);
  int spins = 0;
  while (busy_.load(std::memory_order_acquire) != 0)
    relax(spins);
}

void Team::work(int thread) {
  bind_to_processor(thread);
  std::uint64_t done = 0;
  int spins = 0;
  for (;;) {
    if (order_.load(std::memory_order_acquire) != done) {
      ++done;
      call_(context_, thread);
      busy_.fetch_sub(1, std::memory_order_release);
      spins = 0;
      continue;
    }
    const int shift = shift_.load(std::memory_order_relaxed);
    if (shift == dismissed) return;
    if (shift == asleep)
      shift_.wait(asleep);
    else
      relax(spins);
  }
}

}  // namespace certile::bench
