#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/record.hpp"

namespace certile::conformance {

// A comparison of the failing cases of each clause with the passing ones of a run, by what only the failing
// ones have: long rows, large repeats, odd sizes.
class FailurePatterns {
 public:
  // Keeps the failures, and a share of the passes that have an output.
  void add(const Record& record);

  // Returns "only where a repeat is 256 or more", or nothing.  The words are true of every failure charged to
  // the clause, false of some passes, and choose the failures better than other words do.
  std::string of(std::string_view clause) const;
  // Returns them as a line of a report, with its newline.
  std::string line_of(std::string_view clause) const;

 private:
  static constexpr std::size_t most_passes = 50'000;

  std::map<std::string, std::vector<std::string>, std::less<>> failed_;  // literals, by clause
  std::vector<std::string> passed_;                                      // every `stride_`th literal
  std::uint64_t passes_ = 0, stride_ = 1;
};

}  // namespace certile::conformance
