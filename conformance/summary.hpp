#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"
#include "conformance/plan.hpp"
#include "conformance/record.hpp"

namespace certile {

enum class Level { full, text };

// What a run was, before its first case: the header of the records and of every report.
struct RunHeader {
  std::string certile_version;
  std::string spelling;  // BACKEND as the user wrote it
  Description claim;
  std::string
      backend_digest;  // SHA-256, in hex, of the binary: the library, or certile itself for a built-in
  PlanOptions options;
  Level level = Level::full;  // the level asked for: decides the exit code
  std::string plan_digest;
  std::int64_t planned = 0;
  bool filtered = false;
  std::vector<std::string>
      isolation;  // the layers that were active, and those that were not: "address space limited to 4 GiB"
};

// One row of the table of clauses.
struct ClauseTally {
  std::int64_t proven = 0;     // passes that prove it
  std::int64_t violated = 0;   // failures charged to it
  std::int64_t exercised = 0;  // cases that speak about it and were run
  std::string
      first_failure;  // the literal of the smallest failing case: fewest elements, then the order of literals
};

// A running total of one backend's records, small however many there are: counts, the clause table, and the
// failures (at most `kept_failures` in full, the smallest of each clause among them).
class Summary {
 public:
  explicit Summary(RunHeader header);

  void add(const Record& record);
  // The run ended early: interrupted, or certile itself failed.
  void mark_incomplete(std::string why);

  const RunHeader& header() const noexcept { return header_; }
  std::int64_t count(Verdict verdict) const noexcept;
  std::int64_t vacuous() const noexcept { return vacuous_; }
  std::int64_t recorded() const noexcept { return recorded_; }
  const std::map<std::string, ClauseTally, std::less<>>& clauses() const noexcept { return clauses_; }
  const std::vector<Record>& failures() const noexcept { return failures_; }
  const std::string& incomplete() const noexcept { return incomplete_; }

  // Groups for reports that cannot list every case: operator, element type → counts by verdict.
  struct Group {
    Operator op;
    ElementType type;
    auto operator<=>(const Group&) const = default;
  };
  struct GroupTally {
    std::int64_t pass = 0, fail = 0, other = 0;
  };
  const std::map<Group, GroupTally>& groups() const noexcept { return groups_; }

  // The testable clauses of the claimed operators and of the contract that no case exercised, in page order.
  std::vector<std::string_view> not_exercised() const;

  // CONFORMANT (full) | CONFORMANT (text) | NOT CONFORMANT | INCOMPLETE | PARTIAL | NOTHING RUN.  CONFORMANT
  // (text) where only clauses of our own are violated.
  enum class Conformance { full, text, none, incomplete, partial, nothing_run };
  Conformance conformance() const;
  // With the claim's limits and what was not exercised: "CONFORMANT (full; claim: f32, rank ≤ 4; not
  // exercised: CT-THREADS)".
  std::string verdict_line() const;
  // 0, 1 or 5, for the level that the header asks for.
  int exit_code() const;

 private:
  RunHeader header_;
  std::map<Verdict, std::int64_t> verdicts_;
  std::int64_t vacuous_ = 0, recorded_ = 0;
  std::map<std::string, ClauseTally, std::less<>> clauses_;
  std::vector<Record> failures_;
  std::map<Group, GroupTally> groups_;
  std::string incomplete_;
};

}  // namespace certile
