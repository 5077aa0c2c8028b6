#pragma once
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The largest number of concurrent calls in a literal.
inline constexpr int most_threads = 64;
inline constexpr int most_calls = 10'000'000;

// Reads the text after "fill=": index, bits:SEED, special, special:SEED, zero, zero:SEED, long, long:SEED,
// short or short:SEED.
Result<Fill> take_fill(LiteralScanner& scanner);

// Reads the text after "@": guard=after|before, infer, offset=N, threads=N, in any order, each at most once.
// `type` is the data's: an offset is 0 to 63, a multiple of the type's bytes (any for packed types).  Guard
// and offset exclude each other.
Result<Placement> take_placement(LiteralScanner& scanner, ElementType type);

// Appends " fill=bits:42"; nothing for defaults.  append_placement does the same for " @guard=after,infer".
void append_fill(std::string& text, const Fill& fill);
void append_placement(std::string& text, const Placement& placement);

}  // namespace certile
