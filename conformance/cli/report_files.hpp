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

namespace certile {

// The files of reports that a command line asks for, one option for each format.
struct ReportFiles {
  // Of each format of all_formats(); empty: not asked for.
  std::vector<std::string> paths = std::vector<std::string>(all_formats().size());

  void add_to(CLI::App& command);
  std::vector<NamedFile> named() const;
  // Writes each file that is asked for; `started` is without the backends that did not start.  What cannot be
  // written is told to `error`, and then it returns false.
  bool write(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
             std::ostream& error) const;
};

}  // namespace certile
