#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/explain/picture.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// A property that all failing cases of a clause have, and no passing case that has elements or exercises the
// clause.
struct FailurePattern {
  std::string words;                     // "the size of a row is 33 bytes or more"; empty: nothing
  int fresh_cases = 0;                   // cases that were not in the run, were asked, and agree
  std::vector<std::string> passes = {};  // if there is no such property: the passes nearest to the failure
};

// A comparison of the failing cases of each clause with the passing ones of a run.
class FailurePatterns {
 public:
  // Keeps the literals of failures and passes.
  void add(const Record& record);

  // Returns the pattern of the clause of this failure.  A bound is no pattern if a case between failures and
  // passes could be asked.  With options such cases are asked, those on which properties disagree, and some
  // on both sides.
  FailurePattern of(const Record& failure, const IsolateOptions* options = nullptr) const;
  // Returns what the failures of three clauses or more have in common, and no pass, as a line of a report
  // with its newline.  Nothing if there is no such thing.
  std::string one_cause() const;
  // Returns outputs of other failures with the clause and the fault of this one, as the records have them: a
  // few, with the most elements.
  std::vector<WrongElements> outputs_like(const Record& failure) const;
  // Returns a pattern as lines of a report, with their newlines.
  static std::string line_of(const FailurePattern& pattern);

 private:
  struct Failures {
    std::vector<std::string> literals;
    std::set<Fault> faults;
    bool has_empty = false;           // some have no elements
    std::vector<Record> with_output;  // the largest outputs that records have
  };
  friend class Sides;

  std::map<std::string, Failures, std::less<>> failed_;  // by clause
  using Clauses = std::vector<std::string_view>;
  std::map<Clauses, std::vector<std::string>>
      passed_;         // by the clauses that they exercise; "+": with elements
  Clauses exercised_;  // by the pass that was added last
};

}  // namespace certile::conformance
