#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/waivers/waiver.hpp"

namespace certile {

// The waivers of one run: what they accept, and which of them nobody needs any more.
class WaiverBook {
 public:
  WaiverBook() = default;
  WaiverBook(std::vector<Waiver> waivers, std::chrono::year_month_day today);

  // Amends a failure that is accepted to `waived`, and a pass that somebody waived to `stale_waiver`; adds to
  // any other failure why its waiver does not hold.
  void apply(Record& record);

  // A sentence for every waiver that has expired, and, where the whole plan was run, for every one that
  // accepted nothing, unless its record says so itself.
  std::vector<std::string> stale(bool whole) const;

  // Of the waivers of one case: such a case is asked even where a tier leaves it out.
  std::vector<std::string> literals() const;

  // Those that accepted something and have not expired, in their order.
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

}  // namespace certile
