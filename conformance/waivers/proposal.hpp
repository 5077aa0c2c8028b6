#pragma once
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge/plainness.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/waivers/waiver.hpp"

namespace certile {

// What would have to be waived for a run to pass: one line for each clause, type and fault, or for the case
// where there is but one. Owner and link are left for somebody to fill in.
class WaiverProposal {
 public:
  void add(const Record& record);  // counts failures, and nothing else

  bool is_empty() const noexcept { return groups_.empty(); }
  // The file: the waivers that hold already, then the proposals, which end on `until`.
  std::string text(const std::vector<Waiver>& kept, const std::chrono::year_month_day& until) const;

 private:
  struct Group {
    std::int64_t cases = 0;
    Record plainest;
    Plainness plainness;
  };
  std::map<std::tuple<std::string, ElementType, Fault>, Group> groups_;
};

}  // namespace certile
