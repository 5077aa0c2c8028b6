#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/report_files.hpp"

namespace certile {

// `certile report FILE…`
struct ReportOptions {
  std::vector<std::string> records;  // paths
  bool colour = false;
  ReportFiles files;
};

// Writes the reports that `certify` wrote when it made these files of records, but for the seconds that it
// took.  Returns the exit code of their verdicts.
int report_command(const ReportOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile
