#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "conformance/judge/plainness.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// The progress of a run, on standard error: a line that is updated on a terminal, else a line every ten
// seconds, which also has the plainest failure so far.
class Progress {
 public:
  Progress(const std::string& backend, std::int64_t planned);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(const Record& record);
  // Removes the line from the terminal, before something else is printed.
  void clear();

 private:
  void show(bool moving);

  std::string backend_;
  std::int64_t planned_, seen_ = 0, run_ = 0, failed_ = 0;
  std::optional<Plainness> plainest_;
  std::string clause_;  // to which the plainest failure is charged
  bool terminal_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace certile::conformance
