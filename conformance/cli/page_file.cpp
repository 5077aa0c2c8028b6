#include "conformance/cli/page_file.hpp"

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// Adds the runs of a file of records, to be compared with.
Result<Done> add_earlier_runs(HtmlReport& report, const std::string& path) {
  const auto runs = read_runs(path, {[&report](const RunHeader& header) { report.begin(header, true); },
                                     [&report](const Record& record) { report.add(record); }});
  if (!runs) return runs.error();
  for (const Summary& run : *runs)
    report.close(run);
  return Done{};
}

}  // namespace

std::vector<NamedFile> PageOptions::inputs() const {
  std::vector<NamedFile> files;
  for (const std::string& each : against)
    files.push_back({"the records " + printable(each), each});
  for (const std::string& each : benchmarks)
    files.push_back({"the benchmark " + printable(each), each});
  return files;
}

Result<PageFile> PageFile::open(const PageOptions& options) {
  PageFile page;
  page.path_ = options.path;
  if (options.path.empty() && options.inputs().empty()) return page;
  if (options.path.empty())
    return Error{Error::Code::bad_literal, "--against and --bench are for a page; name its file with --html"};
  page.report_.emplace();
  for (const std::string& path : options.against)
    if (auto done = add_earlier_runs(*page.report_, path); !done) return done.error();
  for (const std::string& path : options.benchmarks)
    if (auto done = page.report_->add_benchmark(path); !done) return done.error();
  return page;
}

RecordListener PageFile::listener() {
  if (!report_) return {};
  return {[this](const RunHeader& header) { begin(header); }, [this](const Record& record) { add(record); }};
}

void PageFile::begin(const RunHeader& header) {
  if (report_) report_->begin(header);
}

void PageFile::add(const Record& record) {
  if (report_) report_->add(record);
}

void PageFile::close(const Summary& summary) {
  if (report_) report_->close(summary);
}

void PageFile::add_unstarted(const Summary& summary) {
  begin(summary.header());
  close(summary);
}

bool PageFile::write(std::ostream& error) const {
  if (!report_) return true;
  const auto done = report_->write(path_);
  if (!done) error << "certile: " << printable(done.error().what) << std::endl;
  return static_cast<bool>(done);
}

}  // namespace certile::conformance
