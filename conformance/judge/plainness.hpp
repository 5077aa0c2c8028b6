#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "reference/values/case.hpp"

namespace certile::conformance {

// A measure by which "first" and "smallest" order failing cases everywhere.  The lesser is the plainer: no
// fill and no literal too long for a screen; elements; then fewer axes of the data, fewer elements of the
// data, common types (f32, u8, i32, i64) before others, the shorter literal, and at last the order of
// literals.  A literal that cannot be read, of another version, is the last.
struct Plainness {
  bool is_unreadable = false, has_fill = false, is_empty = false;
  std::size_t axes = 0;
  std::int64_t elements = 0;
  bool is_rare_type = false;
  std::size_t length = 0;
  std::string literal;
  auto operator<=>(const Plainness&) const = default;
};

Plainness plainness_of(const Case& question, const std::string& literal);
// Returns the same for a literal, as records have it.
Plainness plainness_of(const std::string& literal);

}  // namespace certile::conformance
