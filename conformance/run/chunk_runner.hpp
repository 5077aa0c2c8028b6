#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "conformance/plan/shard.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/run/retry_budget.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/run/session.hpp"

namespace certile::conformance {

// The number of cases of a chunk of a plan without a budget.
inline constexpr std::size_t chunk_size = 4096;
// A plan that is shorter than a chunk, but not shorter than this, has two chunks.
inline constexpr std::size_t least_to_halve = 256;

// Returns the number of the chunk of the plan that has this case of it.
std::size_t chunk_of(const Plan& plan, const PlannedCase& planned) noexcept;

// Returns the number of the piece, as below, that has this case of the plan.
std::size_t piece_of(const Plan& plan, const PlannedCase& planned, int shards) noexcept;

// Cuts a share of the plan, one of `shards` such shares, into pieces that are asked in a fresh process each:
// the share's cases of `shards` consecutive chunks of the plan.  So a piece of a shard is about as long as a
// chunk, and the failures of a chunk that come before another failure of the plan come before it in its shard
// too.
std::vector<std::span<const PlannedCase* const>> pieces_of(const Plan& plan, const Share& share, int shards);

// A thread's share of a run: runs one chunk of the plan after the other, each in a fresh process, so that a
// chunk's records do not depend on other chunks.
class ChunkRunner {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = std::chrono::nanoseconds;

  // Sets up a runner with the budget of the whole run.
  ChunkRunner(const RunOptions& options, RetryBudget& retries, std::atomic<bool>& stop);
  ChunkRunner(const ChunkRunner&) = delete;
  ChunkRunner& operator=(const ChunkRunner&) = delete;

  struct Chunk {
    std::vector<Record> records;                // in the order of the cases
    std::vector<const PlannedCase*> postponed;  // unanswered, because such calls crash or hang too often
    std::size_t troubles = 0;                   // calls that crashed, hung or had no memory
    std::vector<const PlannedCase*> unasked;    // cases that are not run
    std::vector<Judged> failures;
    std::vector<std::size_t> places;  // of the failures, in the records
    Duration took{0};                 // of the backend's own time
    std::unique_ptr<RetryBudget> retries = std::make_unique<RetryBudget>();  // of this chunk
  };
  // Runs a chunk among these surroundings.  With `time_left`, the run is patient: no case is postponed, and
  // those left when the backend has taken that time are not run.  `is_in_vain` is asked meanwhile: true
  // abandons the answers that are missing.
  Result<Chunk> run(std::span<const PlannedCase* const> cases, std::optional<Duration> time_left,
                    Surroundings surroundings, std::function<bool()> is_in_vain);
  // Asks some failures of the chunk that was run last again, and adds the records of its cases that are not
  // run.
  Result<Done> explain(Chunk& chunk, const Plan& plan, Diagnosis& diagnosis);

  Record not_run(const PlannedCase& planned, Reason why) const;

  // Returns the options of a diagnosis, which only an interruption stops.
  static IsolateOptions isolated_for_diagnosis(const RunOptions& options);

 private:
  bool is_stopped() const noexcept;
  bool is_interrupted() const noexcept;
  // Returns true if missing answers should be abandoned.
  bool should_give_up() const;
  // Returns true if no answer has arrived for so long that the answers so far should be processed first.
  bool is_stalled() const;
  Result<Done> open_session(Surroundings surroundings);
  void add_not_run(std::span<const PlannedCase* const> cases, std::vector<Record>& records) const;
  Result<Done> explain_failures(Chunk& chunk, const Plan& plan, Diagnosis& diagnosis);
  void note_slowness(const Judged& judged);
  Duration own_time() const { return session_ ? session_->own_time() : Duration{0}; }
  // Records the time of an answer.  Answers that arrive together share the time since the answer before them.
  void note_arrival(const Judged& judged);
  void settle_arrivals();
  // Records time in which calls were slow; a worker may take as long as it likes, because it may compile.
  void note_slow(Duration cost);
  // Closes the backend.  A failure to close is charged to the last case that passed.
  void close_session(std::vector<Record>& records);
  bool closes_badly_after(const std::string& literal);

  const RunOptions& options_;
  RetryBudget& retries_;
  std::atomic<bool>& stop_;
  std::optional<Duration> end_;  // of a patient run, in the session's own time
  std::function<bool()> is_in_vain_;
  RetryBudget* of_chunk_ = nullptr;
  struct Arrivals {
    Duration waited{0}, patience{0};  // patience: the time from which small ones are slow
    int answers = 0, troubles = 0;
    bool are_small = true;  // the cases, so that none of them should take long
  };
  Arrivals arrivals_;           // the last answers that arrived together
  bool is_process_new_ = true;  // none has arrived from it
  Clock::time_point last_arrival_;
  Duration own_before_{0};             // the session's own time until then
  Clock::duration oracles_before_{0};  // the time of the session's oracles until then
  std::chrono::milliseconds stall_limit_{0};
  std::optional<Session> session_;
};

}  // namespace certile::conformance
