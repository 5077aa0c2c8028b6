#pragma once
#include <string>

#include "conformance/records/summary.hpp"

namespace certile::conformance {

// Small runs for the tests of summaries and views.

// Returns the header of a backend "mine" version 1 that claims everything, or the types given.
RunHeader example_header(std::int64_t planned);

// Returns a pass of that case, which exercises these clauses.
Record example_pass(std::string literal, std::vector<std::string_view> exercised);

// Returns a failure charged to the first of these clauses.
Record example_failure(std::string literal, std::vector<std::string_view> exercised);

// Returns a summary in which one case proves every testable clause of OpenVINO Tile-1 and of the contract.
Summary conformant_summary();

// Returns a summary of two planned cases, one of which fails OV-T1-X4.
Summary failing_summary();

// Returns a path in a folder that is different for every test, and removed when the test ends.
std::string temporary_path(const std::string& suffix);
// Returns such a path of a file with the content.
std::string written_file(const std::string& suffix, const std::string& content);

std::string file_content(const std::string& path);

}  // namespace certile::conformance
