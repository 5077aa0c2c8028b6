#include "conformance/cli/report_command.hpp"

#include <algorithm>
#include <iterator>

#include "conformance/records/record_stream.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/exit_code.hpp"

namespace certile::conformance {

int report_command(const ReportOptions& options, std::ostream& out, std::ostream& error) {
  std::vector<NamedFile> inputs;
  for (const std::string& path : options.records)
    inputs.push_back({"the records " + printable(path), path});
  if (const auto conflict = conflict_of(options.files.named(), inputs)) {
    error << "certile: " << *conflict << std::endl;
    return exit_bad_command;
  }
  std::vector<Summary> runs;
  for (const std::string& path : options.records) {
    auto read = read_runs(path);
    if (!read) {
      error << "certile: " << read.error().what << std::endl;
      return exit_bad_command;
    }
    std::move(read->begin(), read->end(), std::back_inserter(runs));
  }
  // A file that goes to standard output leaves no place for the report there.
  const bool is_taken = std::ranges::any_of(options.files.named(), is_standard_output);
  std::ostream& text = is_taken ? error : out;
  TextOptions shown = options.text;
  if (is_taken) shown.colour = false;
  std::vector<const Summary*> all;
  int code = runs.front().exit_code();
  for (const Summary& run : runs) {
    if (!all.empty() && shown.detail != Detail::verdict) text << '\n';
    write_text_report(text, run, shown);
    all.push_back(&run);
    code = graver(code, run.exit_code());
  }
  write_overview(text, all, shown);
  text.flush();
  return options.files.write(all, all, error) ? code : exit_bad_command;
}

}  // namespace certile::conformance
