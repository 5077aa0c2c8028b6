#pragma once
#include <cstdint>

#include "conformance/ask/rig/growth.hpp"
#include "conformance/ask/rig/stopwatch.hpp"

namespace certile::conformance {

// The length of a soak, which is a number of calls, or a time if the calls are slow; and both several times
// if a resource grows, because growth is charged only if it does not end.
class SoakLength {
 public:
  explicit SoakLength(std::int64_t wanted) noexcept : wanted_(wanted) {}

  // Returns true if another call follows `calls`.  `growth` has just got a sample.
  bool goes_on(std::int64_t calls, const Growth& growth) const;
  // Returns true if the calls are so slow that not even those before the next sample are worth their time.
  bool is_too_slow() const noexcept;

 private:
  std::int64_t wanted_;
  Stopwatch stopwatch_;
};

}  // namespace certile::conformance
