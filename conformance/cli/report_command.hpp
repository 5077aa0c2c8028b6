#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/report_files.hpp"

namespace certile::conformance {

// The options of `certile report FILE…`.
struct ReportOptions {
  std::vector<std::string> records;  // paths
  TextOptions text;
  ReportFiles files;
};

// Writes the same reports as the `certify` that wrote these files of records, except for its duration.
// Returns the exit code of their verdicts.
int report_command(const ReportOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
