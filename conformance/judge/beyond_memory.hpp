#pragma once
#include "conformance/judge/expectation.hpp"
#include "reference/oracle/promote.hpp"

namespace certile::conformance {

// Returns true if the case has an answer whose elements are asked for, and take more bytes than a process can
// address.  Then no claim covers the case, and an implementation may decline it however it likes; but it may
// not crash, nor answer.
inline bool is_beyond_memory(const Case& question) {
  constexpr double most = 0x1p48;
  if (question.placement.shape_only || estimated_bytes(question) < most) return false;
  const auto shape = oracle::output_shape(question);
  const auto count = shape ? element_count(*shape).value_or(0) : 0;
  return static_cast<double>(count) * bits(question.data.type()) / 8 >= most;
}

}  // namespace certile::conformance
