#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "conformance/judge/plainness.hpp"
#include "conformance/run/session.hpp"

namespace certile {

// True for a call that crashed, or ran out of memory: each may take long, and others like it do too.
bool is_trouble(const Observation& seen) noexcept;

// Counts what is expensive, for all processes of a run: crashes and repeated questions, by clause.
class CrashBook {
 public:
  // How many failures are asked again.  Each takes a fresh process, and some of those take long to start.
  struct Limits {
    int per_kind;     // of one clause and one fault
    int in_all;       // beyond them one of each kind
    int of_stateful;  // of one kind, where the answer may depend on earlier calls, places or threads
  };
  static constexpr Limits in_process{20, 5'000, 5'000}, of_worker{3, 24, 20};
  explicit CrashBook(Limits limits = in_process) : limits_(limits) {}

  static constexpr int crashes_per_clause = 10, histories = 10, time_outs = 10, confirmed_time_outs = 3,
                       few_troubles = 10, confirmed_costly = 1;

  // True when the cases of this literal's clause have crashed often enough to wait until the end; true for
  // every case once calls have timed out often enough, since each costs a second and more.
  bool should_wait(const PlannedCase& planned);
  bool all_should_wait() const noexcept { return all_wait_.load(std::memory_order_relaxed); }
  // Takes note of how a case ended.
  void note(const Judged& judged);
  // Adds the time that calls which crashed or had no memory took; all other cases wait once such calls are
  // not few, and have taken `patience` in all.
  void note_cost(int troubles, std::chrono::milliseconds cost, std::chrono::milliseconds patience);
  // True when this failure may be asked again: one of the first of its clause and fault, or plainer than all
  // that were; more, once failures have turned out to need a history.
  bool may_ask_again(const Judged& judged, const Plainness& plainness);
  // True when one more time-out may be asked again with the whole time limit: only then is it held against
  // the backend.
  bool may_confirm_time_out();
  // Takes note that a failure needed a history; true while another one may be searched for its shortest.
  bool note_history();

 private:
  Limits limits_;
  std::mutex mutex_;
  struct Reruns {
    int count = 0;
    Plainness plainest;
  };
  std::map<std::string, int, std::less<>> crashes_;
  std::map<std::string, Reruns, std::less<>> reruns_;  // by clause and fault
  std::chrono::milliseconds cost_{0};
  int all_reruns_ = 0, histories_ = 0, time_outs_ = 0, confirmed_ = 0, costly_ = 0, troubles_ = 0;
  bool is_costly_ = false;
  std::atomic<bool> some_wait_{false}, all_wait_{false};
};

}  // namespace certile
