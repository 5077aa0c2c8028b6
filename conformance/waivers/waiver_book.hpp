#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/waivers/waiver.hpp"

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

}  // namespace certile::conformance
