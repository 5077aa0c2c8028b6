#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/plainness.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/records/run_header.hpp"

namespace certile {

// One row of the table of clauses.
struct ClauseTally {
  std::int64_t proven = 0;     // passes that prove it
  std::int64_t violated = 0;   // failures charged to it
  std::int64_t waived = 0;     // failures charged to it that a waiver accepts
  std::int64_t failed = 0;     // failures of cases that speak about it, whichever clause was charged
  std::int64_t exercised = 0;  // cases that speak about it and were judged
  // The literal of the plainest failing case, as plainness.hpp orders them.
  std::string first_failure;

  // True where nothing was seen of the clause that counts.
  bool is_silent() const noexcept { return proven + violated + waived + failed == 0; }
  // True where it was asked and never passed, and the failures are charged elsewhere.
  bool is_in_doubt() const noexcept { return proven + violated + waived == 0 && failed > 0; }
};

// How often laws, which need no oracle, were tried on cases of the plan, and how many of them were broken.
using LawTally = RunFooter::Laws;

// A running total of one backend's records, small however many there are: counts, the clause table, and the
// failures (the first `kept_failures` in full, and the plainest of each clause).
class Summary {
 public:
  static constexpr std::size_t kept_failures = 1000;

  explicit Summary(RunHeader header);

  void add(const Record& record);
  // A waiver that nobody needs any more, in a sentence: it fails the run.
  void add_stale_waiver(std::string sentence) { stale_waivers_.push_back(std::move(sentence)); }
  void add_laws(const LawTally& laws) noexcept { laws_ = laws; }
  // The run ended early: interrupted, or certile itself failed.
  void mark_incomplete(std::string why);
  // Takes what only the footer of a file has.
  void close(const RunFooter& footer);

  const RunHeader& header() const noexcept { return header_; }
  std::int64_t count(Verdict verdict) const noexcept;
  std::int64_t vacuous() const noexcept { return vacuous_; }
  std::int64_t recorded() const noexcept { return recorded_; }
  // Of these, the ones that stand beside the plan: broken laws.
  std::int64_t beside_plan() const noexcept { return beside_plan_; }
  const LawTally& laws() const noexcept { return laws_; }
  const std::map<std::string, ClauseTally, std::less<>>& tallies() const noexcept { return tallies_; }
  const std::vector<Record>& failures() const noexcept { return failures_; }
  // Those of cases that pass are among them.
  const std::vector<std::string>& stale_waivers() const noexcept { return stale_waivers_; }
  const std::string& incomplete() const noexcept { return incomplete_; }

  // Groups for reports that cannot list every case: definition, element type → counts by verdict.
  struct Group {
    DefinitionId definition;
    ElementType type;
    auto operator<=>(const Group&) const = default;
  };
  struct GroupTally {
    std::int64_t pass = 0;
    std::int64_t fail = 0;  // stale waivers too
    std::int64_t unsupported = 0, not_run = 0;
    std::int64_t other = 0;  // waived, inconclusive
  };
  const std::map<Group, GroupTally>& groups() const noexcept { return groups_; }

  // The definitions that were asked for and are claimed: what the verdict is about.
  std::vector<DefinitionId> definitions() const { return header_.definitions(); }
  // Every clause of these definitions and of the contract, in page order.
  std::vector<const Clause*> clauses() const { return header_.clauses(); }
  // Returns the testable ones of them that no judged case speaks about, or only passes without elements.
  std::vector<std::string_view> not_exercised() const;
  // Returns the testable ones of them that failing cases speak about and no pass proves, although none of the
  // failures is charged to them.
  std::vector<std::string_view> in_doubt() const;

  // CONFORMANT (full) | CONFORMANT (text) | NOT CONFORMANT | INCOMPLETE | PARTIAL | NOTHING RUN.  `text`
  // where only clauses of our own and exclusions are violated, and no normative clause and no example is in
  // doubt: what was asked and never passed conforms at no level.
  enum class Conformance { full, text, none, incomplete, partial, nothing_run };
  Conformance conformance() const;
  // With the claim's limits and what was not exercised: "CONFORMANT (full; claim: f32, rank ≤ 4; not
  // exercised: CT-THREADS)".
  std::string verdict_line() const;
  // 0, 1 or 5, for the level that the header asks for.
  int exit_code() const;

 private:
  // Where the tallies of a record lie, found without a search: `add` runs once for each of 100,000 cases a
  // second.  It points into the maps, which do not move their nodes; a copy starts empty.
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
    Plainness plainness;
    std::size_t at = 0;  // in failures_
  };

  const Shortcuts::Clause& clause(std::string_view id);
  bool is_beside_text(DefinitionId definition, std::string_view charged) const;
  GroupTally& group(const Record& record);
  void add_failure(const Record& record);

  RunHeader header_;
  std::array<std::int64_t, verdict_count> verdicts_{};
  std::int64_t vacuous_ = 0, recorded_ = 0, beside_plan_ = 0;
  LawTally laws_;
  std::int64_t failures_beside_text_ =
      0;  // among the failures: charged to a clause of our own, or an exclusion
  std::map<std::string, ClauseTally, std::less<>> tallies_;
  std::vector<Record> failures_;
  std::vector<std::string> stale_waivers_;
  std::map<std::string, Plainest, std::less<>> plainest_;
  std::map<Group, GroupTally> groups_;
  std::string incomplete_;
  Shortcuts shortcuts_;
};

}  // namespace certile
