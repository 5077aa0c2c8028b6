#pragma once
#include <istream>
#include <memory>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The name of the records in a bundle.
inline constexpr const char* bundled_records = "records.jsonl.zst";

// Opens the lines of a file of records, of one that zstd compressed, or of a bundle's folder.  A compressed
// file that is damaged sets badbit.  Error: io, with the system's reason.
Result<std::unique_ptr<std::istream>> open_records(const std::string& path);

// Returns a stream of what zstd compressed; `compressed` must outlive it.  Damage sets badbit.
std::unique_ptr<std::istream> decompressed(std::istream& compressed);

}  // namespace certile::conformance
