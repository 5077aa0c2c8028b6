#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "conformance/plainness.hpp"
#include "conformance/running/session.hpp"

namespace certile {

// Counts what is expensive, for all processes of a run: crashes and repeated questions, by clause.
class CrashBook {
 public:
  // So many failures of a clause are asked again: each takes a fresh process, and some of those take long to
  // start.
  static constexpr int reruns_in_process = 20, reruns_of_worker = 4;
  explicit CrashBook(int reruns_per_clause = reruns_in_process) : reruns_per_clause_(reruns_per_clause) {}

  static constexpr int crashes_per_clause = 10, stateful_reruns = 5000, histories = 10, time_outs = 10,
                       confirmed_time_outs = 3;

  // True when the cases of this literal's clause have crashed often enough to wait until the end; true for
  // every case once calls have timed out often enough, since each costs a second and more.
  bool should_wait(const PlannedCase& planned);
  bool all_should_wait() const noexcept { return all_wait_.load(std::memory_order_relaxed); }
  // Takes note of how a case ended.
  void note(const Judged& judged);
  // True when this failure may be asked again: one of the first of its clause, or plainer than all that were;
  // many more, once failures have turned out to need a history.
  bool may_ask_again(const Judged& judged, const Plainness& plainness);
  // True when one more time-out may be asked again with the whole time limit: only then is it held against
  // the backend.
  bool may_confirm_time_out();
  // Takes note that a failure needed a history; true while another one may be searched for its shortest.
  bool note_history();

 private:
  int reruns_per_clause_;
  std::mutex mutex_;
  struct Reruns {
    int count = 0;
    Plainness plainest;
  };
  std::map<std::string, int, std::less<>> crashes_;
  std::map<std::string, Reruns, std::less<>> reruns_;
  int histories_ = 0, time_outs_ = 0, confirmed_ = 0;
  std::atomic<bool> some_wait_{false}, all_wait_{false};
};

}  // namespace certile
