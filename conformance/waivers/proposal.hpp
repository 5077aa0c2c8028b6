#pragma once
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge/plainness.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/waivers/waiver.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A proposal of the waivers that a run needs to pass: one line for each clause, type and fault, or for the
// case if there is only one.  Owner and link must be filled in by hand.
class WaiverProposal {
 public:
  void add(const Record& record);  // ignores records that are not failures

  bool is_empty() const noexcept { return groups_.empty(); }
  // Returns the text of the file: the waivers in use, then the proposals, which end on `until`.
  std::string text(const std::vector<Waiver>& kept, const std::chrono::year_month_day& until) const;

 private:
  struct Group {
    std::int64_t cases = 0;
    Record plainest;
    Plainness plainness;
  };
  std::map<std::tuple<std::string, ElementType, Fault>, Group> groups_;
};

// Writes the text of a proposal to `path`, whose folder is made.  A file that exists is overwritten only if
// its waivers were `read`.  Error: io.
Result<Done> write_proposal(const std::string& path, const std::string& read, const std::string& text);

}  // namespace certile::conformance
