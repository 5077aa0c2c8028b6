#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The changes of a later run of a backend against an earlier one.
struct Comparison {
  // The changes of one kind.
  struct Changes {
    std::string_view what;  // "newly failing"
    bool is_worse = false;
    std::int64_t count = 0;
    std::vector<std::string> shown;  // "LITERAL (ONNX-T13-O2 shape)": the plainest ones
  };
  std::string name;           // "mine 1.0 -> mine 1.1"
  std::string before, after;  // the verdicts
  // Those that make the run worse come first.  No entry is empty.
  std::vector<Changes> changes;
  bool is_worse() const noexcept;
};

// The changes of a kind that reports show.
inline constexpr std::size_t shown_of_a_kind = 10;

// The verdicts on the cases of a run, which a later run is compared with.
class CaseVerdicts {
 public:
  void add(const Record& record);

 private:
  friend class RunComparer;
  struct Seen {
    Verdict verdict = Verdict::not_run;
    bool is_law = false;  // it is no case of the plan
    bool was_seen_again = false;
  };
  std::unordered_map<std::string, Seen> cases_;
};

// A comparison of a later run, record by record, with an earlier one, whose cases it marks.
class RunComparer {
 public:
  // Shows at most `limit` changes of each kind.  The earlier run outlives it.
  RunComparer(CaseVerdicts& before, std::size_t limit) : before_(before), limit_(limit) {}

  void add(const Record& record);
  // Returns all changes, once every record of the later run was added.
  Comparison close(const Summary& before, const Summary& after);

 private:
  struct Noted {
    std::int64_t count = 0;
    std::multimap<Plainness, std::string> shown;
  };
  void note(std::size_t kind, const std::string& words, const Plainness& plainness);

  CaseVerdicts& before_;
  std::size_t limit_;
  std::array<Noted, 12> kinds_;
};

// Compares the runs of two files of records: those of one backend's name, else, if each file has one run,
// these. Shows at most `limit` changes of each kind.  Errors: as read_records; bad_literal if no two runs can
// be compared.
Result<std::vector<Comparison>> compare_records(const std::string& before, const std::string& after,
                                                std::size_t limit);

}  // namespace certile::conformance
