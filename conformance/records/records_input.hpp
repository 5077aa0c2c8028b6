#pragma once
#include <istream>
#include <memory>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The name of the records in a bundle.
inline constexpr const char* bundled_records = "records.jsonl.zst";

// Opens the lines of a file of records, of one that zstd compressed, or of a bundle's folder, whose records
// are a regular file.  Error: io, with the system's reason.
Result<std::unique_ptr<std::istream>> open_records(const std::string& path);

// Returns a stream of what zstd compressed, as one frame with nothing behind it; `compressed` must outlive
// it.  Damage is an exception of the stream's buffer, which sets badbit.
std::unique_ptr<std::istream> decompressed(std::istream& compressed);

}  // namespace certile::conformance
