#pragma once
#include <optional>
#include <span>
#include <vector>

#include "conformance/running/crash_book.hpp"
#include "conformance/running/diagnosis.hpp"
#include "conformance/running/run_plan.hpp"
#include "conformance/running/session.hpp"

namespace certile {

// One process's share of a run: takes a chunk of the plan at a time, each in a fresh process, so that a
// chunk's records do not depend on which other chunks there were.
class ChunkRunner {
 public:
  ChunkRunner(const RunOptions& options, CrashBook& book, std::atomic<bool>& stop)
      : options_(options), book_(book), stop_(stop), diagnosis_(options.isolate) {}

  struct Chunk {
    std::vector<Record> records;                // in the order of the cases
    std::vector<const PlannedCase*> postponed;  // not asked: their clause crashes too often
  };
  // `patient`: nothing is postponed.
  Result<Chunk> run(std::span<const PlannedCase* const> cases, bool patient);

 private:
  Result<Done> explain_failures(std::vector<Judged> failures, std::vector<Record>& records,
                                const std::vector<std::size_t>& places);
  void note_slowness(const Judged& judged);

  const RunOptions& options_;
  CrashBook& book_;
  std::atomic<bool>& stop_;
  Diagnosis diagnosis_;
  std::optional<Session> session_;
};

// The record of a case that was not asked.
Record not_run(const PlannedCase& planned, const std::string& backend, const std::string& why);

}  // namespace certile
