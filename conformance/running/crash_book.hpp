#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "conformance/running/session.hpp"

namespace certile {

// Counts what is expensive, for all processes of a run: crashes and repeated questions, by clause.
class CrashBook {
 public:
  static constexpr int crashes_per_clause = 10, reruns_per_clause = 20, histories = 10;

  // True when the cases of this literal's clause have crashed often enough to wait until the end.
  bool should_wait(const PlannedCase& planned);
  // Takes note of how a case ended.
  void note(const Judged& judged);
  // True when one more failure of that clause may be asked again.
  bool may_ask_again(const Record& record);

 private:
  std::mutex mutex_;
  std::map<std::string, int, std::less<>> crashes_, reruns_;
  std::atomic<bool> some_wait_{false};
};

}  // namespace certile
