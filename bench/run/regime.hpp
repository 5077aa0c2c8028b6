#pragma once
#include <cstdint>
#include <string_view>

#include "reference/oracle/promote.hpp"
#include "reference/values/element_type.hpp"

namespace certile::bench {

// Returns the bytes of the longest run that is contiguous in the data and in the output: everything inside
// the innermost repeated axis, that axis included.  Runs of packed elements are cut to whole bytes.
std::uint64_t innermost_bytes(ElementType type, const oracle::Promoted& tiling) noexcept;

// Returns the kind of work that a tiling is, by its shape alone.  The first that applies:
//   none   nothing is repeated
//   tiny   at most 4 KiB are written: the cost of a call dominates
//   fill   single elements are repeated
//   mixed  several axes are repeated, with others between them
//   short  rows of at most 64 bytes are repeated
//   whole  the whole data is repeated
//   rows   each of several rows is repeated
std::string_view regime_of(ElementType type, const oracle::Promoted& tiling);

}  // namespace certile::bench
