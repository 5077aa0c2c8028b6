#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/clause_state.hpp"
#include "conformance/records/run_header.hpp"

namespace certile::conformance {

// The trials of laws, which need no oracle, on cases of the plan.
using LawTally = RunFooter::Laws;

// Returns about as many bytes as the texts of a record have.
std::size_t size_of(const Record& record) noexcept;

// A running total of one backend's records, whose size does not grow with them: counts, the clause table, and
// the failures (the first `kept_failures`, as far as their texts are of usual size, and the plainest of each
// clause).
class Summary {
 public:
  static constexpr std::size_t kept_failures = 1000, kept_bytes = std::size_t{64} << 20;

  explicit Summary(RunHeader header);

  void add(const Record& record);
  // Adds a sentence about a waiver that is no longer needed, which fails the run.
  void add_stale_waiver(std::string sentence) { footer_.stale_waivers.push_back(std::move(sentence)); }
  void add_laws(const LawTally& laws) noexcept { footer_.laws = laws; }
  void add_of_shard(RunFooter::OfShard of_shard) { footer_.of_shard = std::move(of_shard); }
  // Marks the run as ended early, by an interrupt or by a failure of certile itself.
  void mark_incomplete(std::string why);
  // Sets the files that the backend's processes loaded.
  void set_loaded(std::vector<Part> loaded) { footer_.loaded = std::move(loaded); }
  const std::vector<Part>& loaded() const noexcept { return footer_.loaded; }
  // Sets the SHA-256 of all lines of the run.
  void set_records_digest(std::string digest) { footer_.run_digest = std::move(digest); }
  const std::string& records_digest() const noexcept { return footer_.run_digest; }
  // Adds the results that only the footer of a file has.
  void close(const RunFooter& footer);

  const RunHeader& header() const noexcept { return header_; }
  // Returns what the footer says, but for the digest of the lines and the conformance.
  const RunFooter& footer() const noexcept { return footer_; }
  std::int64_t count(Verdict verdict) const noexcept {
    return footer_.verdicts[static_cast<std::size_t>(verdict)];
  }
  std::int64_t vacuous() const noexcept { return footer_.vacuous; }
  std::int64_t recorded() const noexcept { return footer_.records; }
  // Returns the number of these records that are not of planned cases, but of broken laws.
  std::int64_t beside_plan() const noexcept { return beside_plan_; }
  const LawTally& laws() const noexcept { return footer_.laws; }
  const std::map<std::string, ClauseTally, std::less<>>& tallies() const noexcept { return tallies_; }
  const std::vector<Record>& failures() const noexcept { return failures_; }
  // Returns a sentence for each waiver that is no longer needed, also those of cases that pass.
  const std::vector<std::string>& stale_waivers() const noexcept { return footer_.stale_waivers; }
  const std::string& incomplete() const noexcept { return footer_.incomplete; }
  const RunFooter::OfShard& of_shard() const noexcept { return footer_.of_shard; }

  // A group of cases, for reports that cannot list every case.
  struct Group {
    DefinitionId definition;
    ElementType type;
    auto operator<=>(const Group&) const = default;
  };
  struct GroupTally {
    std::int64_t pass = 0;
    std::int64_t fail = 0;  // includes stale waivers
    std::int64_t unsupported = 0, not_run = 0;
    std::int64_t other = 0;  // waived, inconclusive
  };
  const std::map<Group, GroupTally>& groups() const noexcept { return groups_; }

  // A kind of failure, which reports count because they cannot list every failure.
  struct FailureKind {
    Fault fault;
    ElementType type;
    std::size_t rank;  // of the data; 0 also if the literal cannot be read
    auto operator<=>(const FailureKind&) const = default;
  };
  using FailureKinds = std::map<FailureKind, std::int64_t>;
  // Returns the failures charged to each clause, by kind.
  const std::map<std::string, FailureKinds, std::less<>>& failure_kinds() const noexcept {
    return failure_kinds_;
  }

  // Returns the definitions that the verdict is about: requested and claimed.
  std::vector<DefinitionId> definitions() const { return header_.definitions(); }
  // Returns every clause of these definitions and of the contract, in page order.
  std::vector<const Clause*> clauses() const { return header_.clauses(); }
  ClauseState state(const Clause& clause) const;
  std::vector<std::string_view> not_exercised() const { return clauses_that_are(ClauseState::not_exercised); }
  std::vector<std::string_view> in_doubt() const { return clauses_that_are(ClauseState::in_doubt); }

  // The verdict on a run, in this order: CONFORMANT (full) | CONFORMANT (text) | NOT CONFORMANT | INCOMPLETE
  // | PARTIAL | NOTHING RUN.  `text`: only our own clauses and exclusions are violated, and no normative
  // clause and no example is in doubt.  A shard without a failure is PARTIAL.
  enum class Conformance { full, text, none, incomplete, partial, nothing_run };
  Conformance conformance() const;
  // Returns the verdict with the claim's limits and the clauses not exercised: "CONFORMANT (full; claim: f32,
  // rank ≤ 4; not exercised: CT-THREADS)"; for a
  // shard "shard 2 of 7: no failure (3,927 of 27,487 cases)".
  std::string verdict_line() const;
  // Returns 0, 1 or 5, for the level in the header.
  int exit_code() const;

 private:
  // A cache of the tallies that a record changes, because `add` runs for 100,000 cases a second.  It points
  // into the maps, whose nodes do not move; a copy starts empty.
  struct Shortcuts {
    struct Clause {
      const std::string* id = nullptr;
      ClauseTally* tally = nullptr;
      bool proven_without_elements = false;
    };
    Shortcuts() = default;
    Shortcuts(const Shortcuts&) : Shortcuts() {}
    Shortcuts(Shortcuts&&) = default;
    Shortcuts& operator=(const Shortcuts&) { return *this = Shortcuts(); }
    Shortcuts& operator=(Shortcuts&&) = default;

    std::array<Clause, 256> clauses;
    std::vector<GroupTally*> groups = std::vector<GroupTally*>(all_definitions().size() * element_type_count);
  };
  struct Plainest {
    bool has_no_command = false;  // of a failure that needs earlier calls, which no one has found
    Plainness plainness;
    std::size_t at = 0;  // in failures_
  };

  std::vector<std::string_view> clauses_that_are(ClauseState state) const;
  const Shortcuts::Clause& clause(std::string_view id);
  std::int64_t failed_or_stale() const noexcept {
    return count(Verdict::fail) + static_cast<std::int64_t>(stale_waivers().size());
  }
  bool is_beside_text(DefinitionId definition, std::string_view charged) const;
  GroupTally& group(const Record& record);
  void add_failure(const Record& record);

  RunHeader header_;
  RunFooter footer_;
  std::int64_t beside_plan_ = 0;
  bool has_unknown_unasked_ = false;       // a case that was not run, of which no one knows what it exercises
  std::int64_t failures_beside_text_ = 0;  // those charged to a clause of our own or an exclusion
  std::map<std::string, ClauseTally, std::less<>> tallies_;
  std::vector<Record> failures_;
  std::size_t places_kept_ = kept_failures, bytes_kept_ = 0;  // of failures_
  std::map<std::string, Plainest, std::less<>> plainest_;
  std::map<Group, GroupTally> groups_;
  std::map<std::string, FailureKinds, std::less<>> failure_kinds_;
  Shortcuts shortcuts_;
};

}  // namespace certile::conformance
