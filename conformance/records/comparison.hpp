#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// Compares the runs of two files of records: those of one backend's name, else, if each file has one run,
// these. Shows at most `limit` changes of each kind.  Errors: as read_records; bad_literal if no two runs can
// be compared.
Result<std::vector<Comparison>> compare_records(const std::string& before, const std::string& after,
                                                std::size_t limit);

}  // namespace certile::conformance
