#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/plugin/claim.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/spec/page_reader.hpp"

namespace certile {

enum class Level { full, text };
std::string_view name(Level level) noexcept;

// What a run was, before its first case: the header of the records and of every report.
struct RunHeader {
  std::string certile_version;
  std::string spelling;  // BACKEND as the user wrote it
  Claim claim;
  // SHA-256, in hex, of the binary: the library, or certile itself for a built-in.
  std::string backend_digest;
  // What the digest is of, where it is of several: the files that a worker's command names, and what the
  // worker says it is made of.
  std::vector<Part> parts;
  PlanOptions options;
  Level level = Level::full;  // the level asked for: decides the exit code
  std::string plan_digest;
  std::vector<Plan::Corpus> corpora;  // that the plan was made of
  std::vector<Plan::Corpus> pages;    // of reference/spec, that the run was judged by
  // Of the definitions asked for and of the contract, in page order: id, kind, name and testability of each.
  // A file may list clauses that this program's pages do not have.  Empty: the pages' own.
  std::shared_ptr<const std::vector<Clause>> clauses_listed;
  std::int64_t planned = 0;
  bool filtered = false;
  // The layers that were active, and those that were not: "memory limited to 4096 MiB".
  std::vector<std::string> isolation;
  struct Waivers {
    std::string path;    // empty: none were given for this backend
    std::string digest;  // SHA-256, in hex
    std::int64_t count = 0;
  } waivers;

  // Returns the definitions that were claimed and asked for, in page order.
  std::vector<DefinitionId> definitions() const;
  // Returns their clauses and the contract's: those listed, else the pages'.
  std::vector<const Clause*> clauses() const;
  // Returns the clause of that id, of a page where the header does not list it; or null.
  const Clause* clause(std::string_view id) const;
  // Lists the pages and clauses that this program has.
  void list_pages();
};

// What stands at the end of a run, and is not in its records.
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

}  // namespace certile
