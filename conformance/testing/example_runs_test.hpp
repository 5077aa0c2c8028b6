#pragma once
#include <string>

#include "conformance/records/summary.hpp"

namespace certile {

// Small runs for the tests of summaries and views.

// Of a backend "mine" version 1 that claims everything, or the types given.
RunHeader example_header(std::int64_t planned);

// A pass of that case, which exercises these clauses.
Record example_pass(std::string literal, std::vector<std::string_view> exercised);

// A failure charged to the first of these clauses.
Record example_failure(std::string literal, std::vector<std::string_view> exercised);

// Every testable clause of OpenVINO Tile-1 and of the contract is proven by one case.
Summary conformant_summary();

// Of the two cases planned, one fails OV-T1-X4.
Summary failing_summary();

// A path in the directory for temporary files, different for every test.  What stands there is removed when
// the test ends.
std::string temporary_path(const std::string& suffix);

std::string file_content(const std::string& path);

}  // namespace certile
