#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/plugin/plugin.hpp"
#include "bench/run/bench_run.hpp"
#include "bench/run/progress.hpp"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/measure.hpp"
#include "conformance/ask/asker.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::bench {

// The largest output that the rig judges, because its guards and its second run cost many times the memory.
// On a larger one the backend is called once in another process, and every byte is compared with the second
// oracle's answer.
inline constexpr std::uint64_t largest_in_rig = std::uint64_t{32} << 20;

// The backends of a run: opened, or with the reason why not, and with the judge's verdicts.  A backend that
// cannot be opened or judged loses only its own results.  A backend that does not claim the definition of a
// case receives the case under another definition that writes the same bytes (suite.hpp), and its
// version says so.  A library or worker that was given no NAME goes by the name that it calls itself, unless
// another has that name too.
class Backends {
 public:
  struct Options {
    std::string program = "/proc/self/exe";    // a certile-bench, for the processes that it starts
    std::vector<std::string> backends = {};    // BACKEND or NAME=BACKEND; none: every built-in one that works
    std::optional<std::string> baseline = {};  // the same; added if its name is not among them
    std::chrono::milliseconds patience{30'000};  // for one call on a large case; a slower one is not timed
    std::uint64_t largest_case = 0;              // bytes of data and output, of any case of the run
  };
  // Keeps `progress`, which also receives why a backend is left out.
  Backends(Options options, Progress& progress) : options_(std::move(options)), progress_(progress) {}

  // Opens the backends.  Error unsupported: no backend has a name, which is probably a typing error.
  Result<Done> open();

  const std::string& baseline() const noexcept { return baseline_; }
  // Returns 0, or 4 if a backend was left out.
  int exit_code() const noexcept { return exit_code_; }

  // Makes the rig judge those of the cases that are not too large, for every backend, as `certile run` would.
  // An interrupt ends the judging early.
  void judge(const std::vector<TimedCase>& cases);
  // Returns the backends as they are on that case; one that the rig did not judge is judged now.
  std::vector<Subject> judged(const TimedCase& timed);
  // Returns the timed call for the subject of that index, which passed.  `memory` has the tensors of the case
  // in this process, and outlives the result.
  std::unique_ptr<TimedCall> timed_call(std::size_t index, const Case& question, CaseMemory& memory);

 private:
  // A built-in one is called in this process; a library or a worker through an Asker, the worker by its own
  // clock.
  struct Backend {
    std::string spelling;
    Subject facts;              // its name, its version and how it is timed, without a verdict
    bool is_open = false;       // false: facts.why says why
    std::string own_name = {};  // what a library or a worker calls itself
    std::vector<DefinitionId> definitions = {};  // that it claims
    std::optional<backends::Plugin> built_in = {};
    std::unique_ptr<conformance::Asker> asker = {};  // null: its process was not started
    std::map<std::string, Subject> judged = {};      // in the rig, by the literal that it received
  };

  Result<Done> open(Backend& backend);
  Result<Done> start_process(Backend& backend);
  void use_own_names();
  void leave_out(Backend& backend, const Error& why);
  void compare_whole(Backend& backend, const Case& question, const Tensor& expected, Subject& subject);

  Options options_;
  Progress& progress_;
  std::vector<Backend> all_;
  std::string baseline_;
  int exit_code_ = 0;
};

}  // namespace certile::bench
