#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/explain/closer_look.hpp"
#include "conformance/explain/failure_patterns.hpp"
#include "conformance/page/markup.hpp"
#include "conformance/records/comparison.hpp"
#include "conformance/records/summary.hpp"

namespace certile::conformance {

// A run as a page shows it.
struct PageRun {
  const Summary* summary = nullptr;
  const FailurePatterns* patterns = nullptr;
  std::string records = {};                // the file of its records, as a command names it; may be empty
  bool is_earlier = false;                 // it is there to be compared with
  std::optional<std::size_t> before = {};  // the number of the run that it is compared with
  Comparison changes = {};                 // since that run
  // What only asking again told: of failures, by their literals, and of clauses, lines about their patterns.
  std::map<std::string, CloserLook> looks = {};
  std::map<std::string, std::string, std::less<>> confirmed = {};
};

// Returns a name for each run: to names that several runs have, their files, spellings or numbers are added.
std::vector<std::string> labels_of(const std::vector<PageRun>& runs);

// Returns a page of HTML about these runs, which needs no network, no other file and no script.  The same
// runs always give the same bytes.
std::string page_of(const std::vector<PageRun>& runs);

// Returns the part of the page about the failures of a run, by which `id` begins; nothing without failures.
Markup failures_of(const PageRun& run, const std::string& id);

// Returns the anchor of a clause's failures in that part.
std::string anchor_of(const std::string& id, std::string_view clause);

// Returns a row of a list of facts.
Markup fact(OwnText name, const Markup& content);

}  // namespace certile::conformance
