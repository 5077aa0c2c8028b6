#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/explain/picture.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// A property that the failing cases of a clause have, and the passing ones have not: long rows, odd sizes.
struct FailurePattern {
  std::string words;    // "rows have 33 bytes or more and are no multiple of 16 bytes"; empty: nothing
  int fresh_cases = 0;  // cases without it that were not in the run, were asked, and passed
  std::vector<std::string> passes = {};  // cases that have it and passed, those nearest to a failure
};

// A comparison of the failing cases of each clause with the passing ones of a run.
class FailurePatterns {
 public:
  // Keeps the failures, and a share of the passes that have an output.
  void add(const Record& record);

  // Returns the pattern of the run.  Its one or two conditions are met by every failure charged to the clause
  // and not by most passes, and choose the failures better than other conditions do.
  FailurePattern of(std::string_view clause) const;
  // Returns what the failures of three clauses or more have in common, as a line of a report with its
  // newline: one condition that each of them meets, and no pass.  Nothing if there is none.
  std::string one_cause() const;
  // Returns the pattern that is left after fresh cases were asked, on both sides of each of its conditions:
  // if a case fails without it, or passes with it, the pattern is chosen again.
  FailurePattern confirmed(std::string_view clause, const IsolateOptions& options) const;
  // Returns outputs of other failures with the clause and the fault of this one, as the records have them: a
  // few, with the most elements.
  std::vector<WrongElements> outputs_like(const Record& failure) const;
  // Returns a pattern as lines of a report, with their newlines.
  static std::string line_of(const FailurePattern& pattern);

 private:
  static constexpr std::size_t most_passes = 20'000;
  struct Failures {
    std::vector<std::string> literals;
    std::set<Fault> faults;
    std::vector<Record> with_output;  // the largest outputs that records have
  };

  std::map<std::string, Failures, std::less<>> failed_;  // by clause
  std::vector<std::string> passed_;                      // every `stride_`th literal
  std::uint64_t passes_ = 0, stride_ = 1;
};

}  // namespace certile::conformance
