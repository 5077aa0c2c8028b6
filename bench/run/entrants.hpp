#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/run/judging.hpp"
#include "bench/run/progress.hpp"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/measure.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::bench {

// One backend, opened for timing: a built-in one in this process, a library or a worker through an Asker, the
// worker by its own clock.
class Entrant {
 public:
  struct Options {
    std::string program = "/proc/self/exe";      // a certile-bench
    std::string spelling;                        // BACKEND
    std::chrono::milliseconds patience{30'000};  // for one call on a large case; a slower backend is left out
    std::uint64_t largest_case = 0;              // bytes of data and output, of any case of the run
  };
  // Opens a backend.  Errors: as open_backend's, in one sentence; backend_failed if its process ended.
  static Result<std::unique_ptr<Entrant>> open(const Options& options);
  virtual ~Entrant() = default;

  // Returns its name, its version and how it is timed, without a verdict.
  const Subject& facts() const noexcept { return facts_; }

  // Returns what a library or a worker calls itself; empty for a built-in backend.
  const std::string& own_name() const noexcept { return own_name_; }

  const std::vector<DefinitionId>& definitions() const noexcept { return definitions_; }

  // Makes another process call it on a case too large for the rig, and compares every byte.  Sets verdict and
  // why; not_run if no answer came within the patience.
  virtual void check(const Case& question, const Tensor& expected, Subject& subject) = 0;

  // Returns what is timed on that case.  `memory` has its tensors in this process, perhaps for another
  // definition, and outlives the result.
  virtual std::unique_ptr<TimedCall> enter(const Case& question, CaseMemory& memory) = 0;

 protected:
  Subject facts_;
  std::string own_name_;
  std::vector<DefinitionId> definitions_;  // that the backend claims
};

// The backends of a run: opened, or with the reason why not, and with the judge's verdicts.  A backend that
// cannot be opened or judged loses only its own results.  A backend that does not claim the definition of a
// case receives the case under another definition that writes the same bytes (suite.hpp), and its
// version says so.  A library or worker that was given no NAME goes by the name that it calls itself, unless
// another has that name too.
class Entrants {
 public:
  struct Options {
    std::string program;                  // a certile-bench
    std::vector<std::string> backends;    // BACKEND or NAME=BACKEND; none: every built-in one that works here
    std::optional<std::string> baseline;  // the same; added if its name is not among them
    std::chrono::milliseconds patience{30'000};  // for one call on a large case; a slower one is not timed
    std::uint64_t largest_case = 0;              // bytes of data and output, of any case of the run
    Progress& progress;                          // also receives why a backend is left out
    std::function<bool()> stop;
  };
  // Opens the backends.  Error unsupported: no backend has a name, which is probably a typing error.
  static Result<Entrants> open(Options options);

  const std::string& baseline() const noexcept { return baseline_; }
  // Returns the number of backends that could be opened.
  int count() const noexcept;

  // Makes the rig judge these cases for every backend.
  void judge_in_rig(const std::vector<Case>& cases);
  // Returns the backends as they are on that case; one that the rig did not judge is judged now.
  std::vector<Subject> judged(const Case& question, std::uint64_t output_bytes);
  // Returns the timed call for the subject of that index, which passed.
  std::unique_ptr<TimedCall> enter(std::size_t index, const Case& question, CaseMemory& memory);

  // Returns 0, or 4 if a backend was left out.
  int exit_code() const noexcept { return exit_code_; }

 private:
  struct Listed {
    std::string spelling;
    Subject facts;
    std::unique_ptr<Entrant> entrant;         // null: facts.why says why
    std::map<std::string, Opinion> opinions;  // by the literal that the backend received
  };

  explicit Entrants(Options options) : options_(std::move(options)) {}
  void add(const std::string& name, const std::string& spelling);
  void use_own_names();
  void leave_out(Listed& listed, const Error& why);

  Options options_;
  std::vector<Listed> listed_;
  std::string baseline_;
  int exit_code_ = 0;
};

}  // namespace certile::bench
