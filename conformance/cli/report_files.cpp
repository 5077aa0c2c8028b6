#include "conformance/cli/report_files.hpp"

#include <utility>

#include "conformance/text/exit_code.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

std::vector<NamedFile> ReportFiles::named() const {
  std::vector<NamedFile> files;
  for (std::size_t index = 0; index < paths.size(); ++index)
    files.push_back({"--" + std::string(all_formats()[index].name), paths[index]});
  files.push_back({"--html", page.path});
  for (NamedFile& file : certificate.named())
    files.push_back(std::move(file));
  return files;
}

std::optional<std::string> ReportFiles::prepare() const {
  for (const NamedFile& file : named()) {
    if (file.path.empty() || file.path == certificate.bundle) continue;
    if (const auto can = check_place(file.path); !can) return file.as + ": " + can.error().what;
  }
  return certificate.prepare();
}

int ReportFiles::write_all(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
                           const std::string& records, std::ostream& out, std::ostream& error) const {
  bool written = true;
  for (std::size_t index = 0; index < paths.size(); ++index) {
    const Format& format = all_formats()[index];
    if (paths[index].empty()) continue;
    const auto done = format.write(paths[index], format.shows_unstarted ? all : started);
    if (done) continue;
    error << "certile: " << printable(done.error().what) << std::endl;
    written = false;
  }
  const int certified = certificate.write(all, records, out, error);
  return written ? certified : exit_bad_command;
}

}  // namespace certile::conformance
