#pragma once
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/waivers/waiver.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The waivers of one run, with the failures that they accept and those that are no longer needed.
class WaiverBook {
 public:
  WaiverBook() = default;
  WaiverBook(std::vector<Waiver> waivers, std::chrono::year_month_day today);

  // Amends an accepted failure to `waived`, and a waived case that passes to `stale_waiver`.  To another
  // failure that has a waiver, adds the reason that the waiver does not apply.
  void apply(Record& record);

  // Returns a sentence for every expired waiver, and if the whole plan was run also for every waiver that
  // accepted nothing, unless a record reports it.
  std::vector<std::string> stale(bool whole) const;

  // Returns the cases of waivers of one case, which are asked even if a tier omits them.
  std::vector<std::string> literals() const;

  // Returns the waivers that accepted a failure, in their order.
  std::vector<Waiver> in_use() const;

 private:
  struct Entry {
    Waiver waiver;
    bool used = false, reported = false;
  };
  static bool covers(const Waiver& waiver, const Record& record);
  bool has_expired(const Waiver& waiver) const;

  std::vector<Entry> entries_;
  std::chrono::year_month_day today_{};
};

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
