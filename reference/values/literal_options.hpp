#pragma once
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/result.hpp"

namespace certile {

// More concurrent calls than this are refused.
inline constexpr int most_threads = 64;

// What follows "fill=": index, bits:SEED, special or special:SEED.
Result<Fill> take_fill(LiteralScanner& scanner);

// What follows "@": guard=after|before, infer, offset=N, threads=N, in any order, each at most once.  `type`
// is the data's: an offset is 0 to 63, a multiple of its bytes (any for packed types).  Guard and offset
// exclude each other.
Result<Placement> take_placement(LiteralScanner& scanner, ElementType type);

// Append " fill=bits:42" and " @guard=after,infer"; nothing for defaults.
void append_fill(std::string& text, const Fill& fill);
void append_placement(std::string& text, const Placement& placement);

}  // namespace certile
