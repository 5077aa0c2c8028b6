#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/certificate_files.hpp"
#include "conformance/cli/file_conflicts.hpp"
#include "conformance/cli/page_file.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/report/report.hpp"

namespace certile::conformance {

// The report files that a command line requests, one option for each format, and the certificate.
struct ReportFiles {
  // A path for each format of all_formats(); empty: not requested.
  std::vector<std::string> paths = std::vector<std::string>(all_formats().size());
  CertificateFiles certificate;
  PageOptions page;

  std::vector<NamedFile> named() const;
  // Removes an earlier certificate.  Returns a sentence if one of the files could not be written.
  std::optional<std::string> prepare() const;
  // Writes each requested file; `started` omits the backends that did not start, and `records` is the file
  // with the records of the run.  Returns 0; 1 after a sentence on `error` if the run gives no certificate; 2
  // after one if a file cannot be written.
  int write_all(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
                const std::string& records, std::ostream& out, std::ostream& error) const;
};

}  // namespace certile::conformance
