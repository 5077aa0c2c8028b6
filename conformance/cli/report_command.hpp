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

// The options of `certile diff OLD NEW`.
struct DiffOptions {
  std::string before, after;  // files of records
  bool verbose = false;       // show every change
};

// Prints what a later run changed, the worse first.  Returns 1 if anything got worse, 0 if not, and 2 if a
// file cannot be read.
int diff_command(const DiffOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
