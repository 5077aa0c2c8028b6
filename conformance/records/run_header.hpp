#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "conformance/facts/door.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/spec/page_reader.hpp"

namespace certile::conformance {

enum class Level { full, text };
std::string_view name(Level level) noexcept;

// The description of a run, known before its first case: the header of the records and of every report.
struct RunHeader {
  std::string certile_version;
  std::string spelling;  // BACKEND as on the command line
  Claim claim;
  Door door;
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
  // The layers of isolation, active or not: "memory limited to 4096 MiB".
  std::vector<std::string> isolation;
  struct Waivers {
    std::string path;    // empty: none were given for this backend
    std::string digest;  // SHA-256, in hex
    std::int64_t count = 0;
  } waivers;

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
};

}  // namespace certile::conformance
