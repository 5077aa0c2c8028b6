#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "conformance/facts/environment.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/plan/shard.hpp"
#include "reference/spec/page_reader.hpp"

namespace certile::conformance {

enum class Level { full, text };
std::string_view name(Level level) noexcept;

// The shard of the plan that a run asks, if it is one of several.  Merging their records removes it.
struct ShardOfRun {
  Shard shard;
  std::int64_t cases = 0;  // of the shard
  std::string host;        // the machine that began the run
};

// The description of a run, known before its first case: the header of the records and of every report.
struct RunHeader {
  std::string certile_version;
  std::string certile_commit;  // 40 hex digits; empty: not known
  bool certile_dirty = false;  // its tree had changes that were not committed
  // The machines of the run, each once: one, unless shards were merged.
  std::vector<Environment> environments;
  std::string spelling;  // BACKEND as on the command line
  Claim claim;
  Transport transport;
  // The SHA-256, in hex, of the binary: the library, or certile itself for a built-in.
  std::string backend_digest;
  // The parts behind a worker's digest: the files that its command names, and the parts that it names itself.
  std::vector<Part> parts;
  PlanOptions options;
  Level level = Level::full;  // the requested level, which decides the exit code
  std::string plan_digest;
  std::vector<Plan::Corpus> corpora;  // the corpora of the plan
  std::vector<Plan::Corpus> pages;    // the pages of reference/spec that the run was judged by
  // The id, kind, name and testability of the clauses of the requested definitions and of the contract, in
  // page order.  A file may list clauses that this program's pages do not have.  Empty: the clauses of the
  // pages.
  std::shared_ptr<const std::vector<Clause>> clauses_listed;
  std::int64_t planned = 0;
  bool filtered = false;
  std::optional<std::int64_t> before_budget;  // the number of cases without the budget, of a run that has one
  // The layers of isolation, active or not, and every limit of a call: "memory limited to 4096 MiB".
  std::vector<std::string> isolation;
  struct Waivers {
    std::string path;    // empty: none were given for this backend
    std::string digest;  // SHA-256, in hex
    std::int64_t count = 0;
  } waivers;
  std::optional<ShardOfRun> shard;

  // Returns the number of cases that the run has to ask: those planned, or those of its shard.
  std::int64_t to_ask() const noexcept { return shard ? shard->cases : planned; }
  // Returns "shard 2 of 7", or "the whole plan".
  std::string part() const { return shard ? to_string(shard->shard) : "the whole plan"; }
  // Returns true if the run ends when its time is over, whatever it has asked.
  bool ends_in_time() const noexcept {
    return options.budget && std::holds_alternative<std::chrono::seconds>(*options.budget);
  }
  // Returns the definitions that are claimed and requested, in page order.
  std::vector<DefinitionId> definitions() const;
  // Returns the clauses of these definitions and of the contract: those listed, else those of the pages.
  std::vector<const Clause*> clauses() const;
  // Returns the clause of that id from the list, else from the pages, or null.
  const Clause* clause(std::string_view id) const;
  // Lists the pages and clauses of this program.
  void list_pages();
};

// The results of a run that its records do not contain.
struct RunFooter {
  std::int64_t records = 0;
  std::vector<std::int64_t> verdicts = std::vector<std::int64_t>(verdict_count);  // in the order of Verdict
  std::int64_t vacuous = 0;
  std::string digest;       // SHA-256, in hex, of the lines before it; empty in a file of format 1
  std::string conformance;  // the verdict line
  struct Laws {
    std::int64_t tried = 0, broken = 0;
  } laws;
  std::vector<std::string> stale_waivers;
  std::string incomplete;
  // The part that only the footer of a shard has.
  struct OfShard {
    // A sentence for each waiver that accepts no failure of the shard, or has expired.  One that every shard
    // has is a stale waiver of the whole run.
    std::vector<std::string> idle_waivers;
    std::string finished_on;  // the machine that ended the run, if another had begun it
  } of_shard;
  // The files that the backend's processes loaded, by name; without a digest: the file could not be read.
  std::vector<Part> loaded;
  std::string run_digest;  // SHA-256, in hex, of all lines of the run, which the footer itself cannot have
};

}  // namespace certile::conformance
