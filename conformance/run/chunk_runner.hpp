#pragma once
#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "conformance/run/crash_book.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/run/session.hpp"

namespace certile {

// One process's share of a run: takes a chunk of the plan at a time, each in a fresh process, so that a
// chunk's records do not depend on which other chunks there were.
class ChunkRunner {
 public:
  using Clock = std::chrono::steady_clock;

  // `deadline`: when patience ends.
  ChunkRunner(const RunOptions& options, CrashBook& book, std::atomic<bool>& stop,
              Clock::time_point deadline);
  ChunkRunner(const ChunkRunner&) = delete;
  ChunkRunner& operator=(const ChunkRunner&) = delete;

  struct Chunk {
    std::vector<Record> records;                // in the order of the cases
    std::vector<const PlannedCase*> postponed;  // not answered: calls like theirs crash or hang too often
  };
  // `patient`: nothing is postponed; what the deadline leaves over is not run.
  Result<Chunk> run(std::span<const PlannedCase* const> cases, bool patient);

 private:
  bool is_stopped() const noexcept;
  bool is_interrupted() const noexcept;
  // True when answers that have not arrived are not worth waiting for.
  bool should_give_up() const;
  // True when no answer has arrived for so long that those which have should be looked at.
  bool is_stalled() const;
  Result<Done> open_session();
  void add_not_run(std::span<const PlannedCase* const> cases, std::vector<Record>& records) const;
  Result<Done> explain_failures(std::vector<Judged> failures, std::vector<Record>& records,
                                const std::vector<std::size_t>& places);
  void note_slowness(const Judged& judged);
  // Takes note of when an answer arrived: answers that arrive together share the time that passed before.
  void note_arrival(const Judged& judged);
  void settle_arrivals();
  // Lets the backend close.  What goes wrong then is charged to the last case that it answered rightly.
  void close_session(std::vector<Record>& records);

  const RunOptions& options_;
  CrashBook& book_;
  std::atomic<bool>& stop_;
  Clock::time_point deadline_;
  bool patient_ = false;
  struct Arrivals {
    Clock::duration waited{0};
    int answers = 0, troubles = 0;
  };
  Arrivals arrivals_;  // those that came together last
  Clock::time_point last_arrival_;
  std::chrono::milliseconds stall_limit_;
  std::optional<Diagnosis> diagnosis_;
  std::optional<Session> session_;
};

// The record of a case that was not asked.
Record not_run(const PlannedCase& planned, const std::string& backend, const std::string& why);

}  // namespace certile
