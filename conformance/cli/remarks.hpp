#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "conformance/ask/process/written_paths.hpp"
#include "conformance/records/summary.hpp"

namespace certile::conformance {

// Returns one sentence with the sum that the verdict line has, of cases that would have taken too long, by
// the reason; nothing if there are none.
std::string remark_on_left_out(const std::map<std::string, std::int64_t>& left_out, const Summary& summary);

// Returns a sentence about a backend whose printing takes a large part of the run; nothing for others.
std::string remark_on_printing(std::uint64_t bytes, const Summary& summary);

// Returns a sentence with the files that a library opened to write to, and those that it could not open so;
// nothing if there are none.
std::string remark_on_files(const WrittenPaths& written, const Summary& summary);

}  // namespace certile::conformance
