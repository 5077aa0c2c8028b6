#pragma once
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace certile::bench {

// A team of threads that work side by side on parts of one thing, the caller being the first of them.  During
// a shift each is bound to a separate processor and spins between pieces of work, so that distributing work
// costs a fraction of a microsecond; between shifts they sleep.
class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const noexcept { return static_cast<int>(others_.size()) + 1; }

  // A period in which the thread that made it distributes work.
  class Shift {
   public:
    explicit Shift(Team& team);
    ~Shift();
    Shift(const Shift&) = delete;
    Shift& operator=(const Shift&) = delete;

   private:
    Team& team_;
    cpu_set_t before_;
  };

  // Calls part(thread) on every thread, 0 to size() - 1, and returns when all have returned.  During a shift.
  template <class Part>
  void run(Part& part) {
    run([](void* context, int thread) { (*static_cast<Part*>(context))(thread); }, &part);
  }

 private:
  using Call = void (*)(void* context, int thread);
  void run(Call call, void* context);
  void work(int thread);

  Call call_ = nullptr;
  void* context_ = nullptr;
  std::atomic<std::uint64_t> order_{0};  // grows with each piece of work
  std::atomic<int> busy_{0};             // other threads that have not finished it
  std::atomic<int> shift_{0};            // 0: sleep, 1: spin, 2: go home
  std::vector<std::thread> others_;
};

// Processors that this process may use; at least 1.
int usable_processors() noexcept;

}  // namespace certile::bench
