#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/run/entrant.hpp"
#include "bench/run/judging.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The backends of a run: opened, or with the reason why not, and what the judge says of each.  What cannot be
// opened or judged costs its own results and nobody else's.  Who does not claim the definition of a case is
// asked under another one that writes the same bytes (same_tiling.hpp), and its version says so.
class Competitors {
 public:
  struct Options {
    std::string program;                  // a certile-bench
    std::vector<std::string> backends;    // BACKEND or NAME=BACKEND; none: every built-in one that works here
    std::optional<std::string> baseline;  // the same; added where its name is not among them
    std::chrono::milliseconds patience{
        30'000};  // for one call on a large case; what takes longer is not timed
    std::function<void(const std::string&)> say;  // progress, and who is left out
    std::function<bool()> stop;
  };
  // Error unsupported: a name that no backend has, which is a slip of the keyboard.
  static Result<Competitors> open(Options options);

  const std::string& baseline() const noexcept { return baseline_; }

  // Has these cases judged in the rig, by every backend.
  void judge_in_rig(const std::vector<std::string>& literals);
  // The backends as they are on that case; one that the rig did not have is judged now.
  std::vector<Subject> judged(const TimedCase& timed);
  // What is timed for the subject of that index, which passed.
  std::unique_ptr<Contestant> enter(std::size_t index, const std::string& literal, CaseMemory& memory);

  // 0, or 4 where somebody was left out.
  int exit_code() const noexcept { return exit_code_; }

 private:
  struct Competitor {
    std::string spelling;
    Subject facts;
    std::unique_ptr<Entrant> entrant;         // null: facts.why says why
    std::map<std::string, Opinion> opinions;  // by the literal that it was asked
  };

  explicit Competitors(Options options) : options_(std::move(options)) {}
  void add(const std::string& name, const std::string& spelling);
  void leave_out(Competitor& competitor, const Error& why);

  Options options_;
  std::vector<Competitor> competitors_;
  std::string baseline_;
  int exit_code_ = 0;
};

}  // namespace certile
