#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/file_conflicts.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/report/report.hpp"

namespace CLI {
class App;
}

namespace certile::conformance {

// The report files that a command line requests, one option for each format.
struct ReportFiles {
  // A path for each format of all_formats(); empty: not requested.
  std::vector<std::string> paths = std::vector<std::string>(all_formats().size());

  void add_to(CLI::App& command);
  std::vector<NamedFile> named() const;
  // Writes each requested file; `started` omits the backends that did not start.  Returns false if a file
  // cannot be written, after a sentence on `error`.
  bool write(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
             std::ostream& error) const;
};

}  // namespace certile::conformance
