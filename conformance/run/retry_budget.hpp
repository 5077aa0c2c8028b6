#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "conformance/judge/record.hpp"
#include "conformance/run/session.hpp"

namespace certile::conformance {

// Returns true for a call that crashed or ran out of memory.  Such calls may take long, and so may similar
// ones.
bool is_trouble(const Observation& seen) noexcept;

// The limits on what is expensive: crashes, time-outs, and failures asked again, by clause.  Each piece
// of a plan has limits by which its cases wait, and the run adds these up in the order of the pieces, so that
// no case waits for what happened in another piece at the same time.
class RetryBudget {
 public:
  // The numbers of failures to ask again.  Each takes a fresh process, which may take long to start.
  struct Limits {
    int per_kind;     // of one clause and one fault
    int in_all;       // after that, one of each kind
    int of_stateful;  // of one kind, if the answer may depend on earlier calls, places or threads
  };
  // Returns true if `restore` counts the record; other records need not be kept.
  static bool counts(const Record& record);
  static constexpr Limits in_process{20, 5'000, 5'000}, of_worker{3, 24, 20};
  explicit RetryBudget(Limits limits = in_process) : limits_(limits) {}

  static constexpr int crashes_per_clause = 10, histories = 10, time_outs = 10, confirmed_time_outs = 3,
                       few_troubles = 10, confirmed_costly = 1;

  // Returns true if the case must wait until the end, because cases of its clause have crashed too often, or
  // because calls have timed out too often, each of which costs a second or more.
  bool should_wait(const PlannedCase& planned);
  bool all_should_wait() const noexcept { return all_wait_.load(std::memory_order_relaxed); }
  // Records the end of a case.
  void note(const Judged& judged);
  // Adds the time-outs, crashes and times of a piece.
  void add(const RetryBudget& piece, std::chrono::milliseconds patience);
  // Adds the time of calls that crashed or had no memory.  All other cases wait once there are more than
  // `few_troubles` such calls and their total time is at least `patience`.
  void note_cost(int troubles, std::chrono::milliseconds cost, std::chrono::milliseconds patience);
  // Adds the time of answers that took long though nothing went wrong.  All other cases wait once their total
  // time is at least `patience`.
  void note_slow(std::chrono::milliseconds cost, std::chrono::milliseconds patience);
  bool has_timed_out();
  // Returns true if this failure may be asked again: one of the first of its clause and fault, or plainer
  // than all of them.  More may be asked again once a failure has needed a history.
  bool may_ask_again(const Judged& judged, const Plainness& plainness);
  // Decides the same of the record of a failure that was neither a crash nor a lack of memory.
  bool may_ask_again(const Record& record, const Placement& placement, const Plainness& plainness);
  // Returns true if one more time-out may be asked again with the whole time limit.  Only confirmed time-outs
  // are charged.
  bool may_confirm_time_out();
  // Records that a failure needed a history.  Returns true if its shortest history may be searched for.
  bool note_history();
  // Counts a case whose record an earlier process of the same run wrote.
  void restore(const Record& record);

 private:
  bool may_ask_again(const Record& record, const Placement& placement, const Plainness& plainness,
                     bool is_trouble);
  void note_end(const Case& question, bool timed_out);
  void settle(std::chrono::milliseconds patience);
  Limits limits_;
  std::mutex mutex_;
  struct Reruns {
    int count = 0;
    Plainness plainest;
  };
  std::map<std::string, int, std::less<>> crashes_;
  std::map<std::string, Reruns, std::less<>> reruns_;  // by clause and fault
  std::chrono::milliseconds cost_{0}, slow_cost_{0};
  int all_reruns_ = 0, histories_ = 0, time_outs_ = 0, confirmed_ = 0, costly_ = 0, troubles_ = 0;
  bool is_costly_ = false;
  std::atomic<bool> some_wait_{false}, all_wait_{false};
};

}  // namespace certile::conformance
