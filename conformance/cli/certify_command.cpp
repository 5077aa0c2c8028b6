#include "conformance/cli/certify_command.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/environment.hpp"
#include "conformance/cli/file_conflicts.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/cli/progress.hpp"
#include "conformance/cli/worker_check.hpp"
#include "conformance/explain/closer_look.hpp"
#include "conformance/explain/failure_patterns.hpp"
#include "conformance/explain/shrink.hpp"
#include "conformance/laws/try_laws.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/report/report.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/version.hpp"
#include "conformance/waivers/proposal.hpp"
#include "conformance/waivers/waiver_book.hpp"
#include "conformance/waivers/waiver_file.hpp"

namespace certile::conformance {
namespace {

void complain(std::ostream& error, const std::string& sentence) {
  error << "certile: " << printable_lines(sentence) << std::endl;
}

int exit_code_of(const Error& error) {
  const bool users = error.code == Error::Code::bad_literal || error.code == Error::Code::unsupported ||
                     error.code == Error::Code::io;
  return users ? exit_bad_command : exit_own_failure;
}

class Certification {
 public:
  Certification(const CertifyOptions& options, std::ostream& out, std::ostream& error)
      : options_(options), text_(options.text), out_(out), error_(error) {
    if (&out == &error) text_.colour = false;
  }

  int run() {
    if (!options_.records.empty()) {
      auto writer = RecordWriter::open(options_.records);
      if (!writer) return fail(writer.error().what, exit_bad_command);
      records_ = *std::move(writer);
    }
    int code = exit_conformant;
    bool any = false;
    for (const std::string& spelling : options_.backends) {
      const std::size_t before = shown_.size();
      const int one = interrupted().load() ? stopped() : certify(spelling);
      if (one == exit_bad_command) {
        if (!judged_.empty()) write_reports();  // of the backends judged before
        return one;
      }
      if (shown_.size() == before) show_unjudged(spelling);
      code = any ? graver(code, one) : one;
      any = true;
    }
    write_overview(out_, judged_, text_);
    const bool written = write_reports();
    if (records_failed_) return graver(code, exit_own_failure);
    return written ? code : exit_bad_command;
  }

 private:
  int fail(const std::string& sentence, int code) {
    complain(error_, sentence);
    failure_ = sentence;
    return code;
  }

  int stopped() {
    constexpr const char* why = "interrupted";
    return failure_ == why ? exit_interrupted : fail(why, exit_interrupted);
  }

  // Reports a backend that did not start, because a reader would not miss it in a report without it.
  void show_unjudged(const std::string& spelling) {
    RunHeader header;
    header.certile_version = version;
    header.spelling = spelling;
    header.claim.name = spelling;
    header.claim.version = "(not started)";
    header.options = options_.plan;
    header.level = options_.level;
    shown_.push_back(std::make_unique<Summary>(std::move(header)));
    shown_.back()->mark_incomplete(printable(first_line(failure_)));
  }

  // Returns true if the worker speaks the protocol.  Errors in the protocol and in Tile are easier to tell
  // from eight calls than from thousands of cases, so this is checked first.
  bool speaks_protocol(const std::string& spelling) {
    const auto command = backends::worker_command(spelling);
    if (!command) return true;
    const auto check = check_worker(in_environment(*command, options_.run.isolate.environment),
                                    options_.run.isolate.memory_limit);
    if (interrupted().load()) return false;
    if (!check) {
      fail(check.error().what, exit_not_loaded);
      return false;
    }
    if (check->is_right()) return true;
    for (const WorkerCheck::Step& step : check->steps)
      if (!step.wrong.empty()) complain(error_, step.asked + ": " + with_lines_indented(step.wrong));
    fail("these are calls that any Tile gets right: certile worker-check " + quoted_for_shell(*command) +
             " shows them all",
         exit_not_loaded);
    return check->speaks;
  }

  int certify(const std::string& spelling) {
    const auto start = std::chrono::steady_clock::now();
    RunOptions run = options_.run;
    run.isolate.spelling = spelling;
    run.interrupted = &interrupted();
    run.isolate.interrupted = &interrupted();
    const auto files = JudgedFiles::of(spelling);  // before anything is loaded
    const bool speaks = speaks_protocol(spelling);
    if (interrupted().load()) return stopped();
    if (!speaks) return exit_not_loaded;
    Started started = start_backend(run.isolate);
    if (interrupted().load()) return stopped();
    if (!started.claim) return fail(started.failure->sentence, started.failure->exit_code);
    if (!files) return fail(files.error().what, exit_not_loaded);
    run.backend = started.claim->name;
    auto waived = waivers_of(started.claim->name);
    if (interrupted().load()) return stopped();
    if (!waived) return fail(waived.error().what, exit_bad_command);
    WaiverBook waivers(waived->waivers, today());
    PlanOptions options = options_.plan;
    options.also = waivers.literals();
    options.interrupted = &interrupted();
    auto plan = make_plan(*started.claim, started.door, options);
    if (interrupted().load()) return stopped();
    if (!plan) return fail(plan.error().what, exit_code_of(plan.error()));

    RunHeader begun = header(spelling, std::move(started), *files, *plan, run);
    begun.options.also = options.also;
    begun.waivers = {waived->path, waived->digest, static_cast<std::int64_t>(waived->waivers.size())};
    Summary summary(std::move(begun));
    WaiverProposal proposal;
    FailurePatterns patterns;
    write_record([&] { return records_->header(summary.header()); });
    Progress progress(summary.header().claim.name, summary.header().planned);
    std::map<std::string, std::int64_t> left_out;  // cases that would have taken too long, by the reason
    const auto take = [&](Record record) {
      if (is_left_out(record)) ++left_out[record.now().words];
      waivers.apply(record);
      proposal.add(record);
      summary.add(record);
      patterns.add(record);
      write_record([&] { return records_->record(record); });
      progress.add(record);
      return Result<Done>(Done{});
    };
    auto ran = run_plan(*plan, run, take);
    if (ran && may_try_laws(summary)) ran = try_laws_on(*plan, run.isolate, summary, take);
    int code = exit_conformant;
    if (interrupted().load()) {
      summary.mark_incomplete("it was interrupted");
      code = exit_interrupted;
    } else if (!ran) {
      summary.mark_incomplete(printable(first_line(ran.error().what)));
      code = fail(ran.error().what,
                  ran.error().code == Error::Code::backend_failed ? exit_own_failure : exit_not_loaded);
    } else if (const auto changed = files->changed()) {
      summary.mark_incomplete(printable(*changed));
      code = fail(printable(*changed), exit_not_loaded);
    }
    const bool whole = code == exit_conformant && !plan->filtered;
    for (std::string& sentence : waivers.stale(whole))
      summary.add_stale_waiver(std::move(sentence));
    if (!options_.write_waivers.empty()) propose(summary, proposal, waivers, waived->path);
    write_record([&] { return records_->footer(summary); });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    progress.clear();
    for (const auto& [why, cases] : left_out)
      complain(error_, "not run: " + counted(cases, "case") + " of " +
                           printable_name(summary.header().claim.name) + ", because " + why);
    text_.seconds = seconds.count();
    if (!judged_.empty() && text_.detail != Detail::verdict) out_ << '\n';
    show_closely(run.isolate, patterns);
    write_text_report(out_, summary, text_);
    text_.closer = text_.shrunk = {};
    out_.flush();
    shown_.push_back(std::make_unique<Summary>(std::move(summary)));
    judged_.push_back(shown_.back().get());
    return code == exit_conformant ? judged_.back()->exit_code() : code;
  }

  // Lets the report show of some failures what only asking again, or comparing them with passes, shows.
  void show_closely(const IsolateOptions& isolate, const FailurePatterns& patterns) {
    if (interrupted().load()) return;
    constexpr std::size_t rows = 6;  // a brief report fits on a screen
    text_.closer = [this, isolate, &patterns](const Record& record) {
      return closer_look(record, isolate, {.width = text_.width, .rows = rows}) +
             patterns.line_of(record.now().charged);
    };
    if (!options_.shrink) return;
    text_.shrunk = [isolate](const Record& record) {
      const auto& literals = record.reproduce();
      const auto shrunk =
          conformance::shrink(literals.empty() ? std::vector{record.literal} : literals, isolate);
      return shrunk ? text_of(*shrunk) : printable(shrunk.error().what) + "\n";
    };
  }

  // Laws search for errors that the cases miss.  They are not tried if cases fail already, nor if the user
  // chose the cases.
  bool may_try_laws(const Summary& summary) const {
    return !interrupted().load() && !summary.header().filtered && summary.count(Verdict::pass) > 0 &&
           summary.count(Verdict::fail) + summary.count(Verdict::waived) + summary.count(Verdict::not_run) ==
               0;
  }

  Result<Done> try_laws_on(const Plan& plan, const IsolateOptions& isolate, Summary& summary,
                           const std::function<Result<Done>(const Record&)>& take) const {
    const auto tally =
        try_laws(plan, law_share(options_.plan.tier, options_.plan.seed), isolate, interrupted(), take);
    if (!tally) return tally.error();
    summary.add_laws(*tally);
    return Done{};
  }

  std::chrono::year_month_day today() const {
    using std::chrono::days, std::chrono::floor, std::chrono::system_clock;
    return options_.today ? *options_.today : std::chrono::year_month_day(floor<days>(system_clock::now()));
  }

  Result<WaiverFile> waivers_of(const std::string& name) const {
    if (options_.waivers.empty()) return WaiverFile{};
    return read_waivers(options_.waivers, name, &interrupted());
  }

  // Writes the proposed waivers.  An existing file is overwritten only if its waivers were read.
  void propose(const Summary& summary, const WaiverProposal& proposal, const WaiverBook& waivers,
               const std::string& read) {
    const std::string path = waivers_path(options_.write_waivers, summary.header().claim.name);
    std::error_code none;
    if (path != read && std::filesystem::exists(path, none)) {
      complain(error_, printable(path) + " exists; to overwrite it, name it with --waivers as well");
      all_written_ = false;
      return;
    }
    if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
      std::filesystem::create_directories(folder, none);
    constexpr std::chrono::days half_a_year{180};
    const std::chrono::year_month_day until(std::chrono::sys_days(today()) + half_a_year);
    if (const auto done = write_whole_file(path, proposal.text(waivers.in_use(), until)); !done) {
      complain(error_, done.error().what);
      all_written_ = false;
    }
  }

  RunHeader header(const std::string& spelling, Started started, const JudgedFiles& files, const Plan& plan,
                   const RunOptions& run) const {
    Claim& claim = *started.claim;
    RunHeader header;
    header.certile_version = version;
    header.spelling = spelling;
    header.backend_digest = files.digest(claim);
    if (backends::worker_command(spelling)) header.parts = files.parts();
    header.parts.insert(header.parts.end(), claim.parts.begin(), claim.parts.end());
    header.claim = std::move(claim);
    header.door = started.door;
    header.options = options_.plan;
    header.level = options_.level;
    header.plan_digest = plan.digest;
    header.corpora = plan.corpora;
    header.planned = static_cast<std::int64_t>(plan.cases.size());
    header.filtered = plan.filtered;
    header.isolation = isolation_layers(run.isolate);
    header.list_pages();
    return header;
  }

  // Writes a part of the records.  The run goes on after an error, but without records.
  template <class Write>
  void write_record(Write&& write) {
    if (!records_ || records_failed_) return;
    const auto written = write();
    if (written) return;
    records_failed_ = true;
    complain(error_, written.error().what);
  }

  bool write_reports() {
    std::vector<const Summary*> all;
    for (const auto& summary : shown_)
      all.push_back(summary.get());
    return options_.reports.write(all, judged_, error_) && all_written_;
  }

  const CertifyOptions& options_;
  TextOptions text_;
  std::ostream& out_;
  std::ostream& error_;
  std::unique_ptr<RecordWriter> records_;
  bool records_failed_ = false;
  bool all_written_ = true;  // reports and proposals
  std::string failure_;      // the last message on standard error
  std::vector<std::unique_ptr<Summary>> shown_;
  std::vector<const Summary*> judged_;  // those of shown_ whose backends started
};

std::vector<NamedFile> outputs_of(const CertifyOptions& options) {
  std::vector<NamedFile> outputs = options.reports.named();
  outputs.insert(outputs.begin(), {"--records", options.records});
  return outputs;
}

// Returns a sentence if the command line would overwrite an input, or write two outputs to one file.
std::optional<std::string> conflict_of(const CertifyOptions& options) {
  std::vector<NamedFile> inputs{{"certile itself", "/proc/self/exe"}};
  for (const std::string& spelling : options.backends) {
    const auto command = backends::worker_command(spelling);
    const std::vector<std::string> paths = command                          ? files_of_command(*command)
                                           : backends::is_library(spelling) ? std::vector{spelling}
                                                                            : std::vector<std::string>();
    for (const std::string& path : paths)
      inputs.push_back({"the backend " + printable(path), path});
  }
  for (const std::string& path : options.plan.corpora)
    inputs.push_back({"the corpus " + printable(path), path});
  for (const std::string& path : waiver_files(options.waivers))
    inputs.push_back({"the waivers " + printable(path), path});
  return conflict_of(outputs_of(options), inputs);
}

}  // namespace

int certify_command(const CertifyOptions& options, std::ostream& out, std::ostream& error) {
  if (!options.waivers.empty() && options.run.fail_fast) {
    complain(error, "--fail-fast would stop at failures that --waivers accepts; give one of the two");
    return exit_bad_command;
  }
  if (!options.waivers.empty())
    if (const auto done = check_waivers(options.waivers, &interrupted()); !done) {
      complain(error, done.error().what);
      return interrupted().load() ? exit_interrupted : exit_bad_command;
    }
  if (const auto conflict = conflict_of(options)) {
    complain(error, *conflict);
    return exit_bad_command;
  }
  for (const std::string& spelling : options.backends)
    if (const auto failure = check_spelling(spelling); failure && failure->exit_code == exit_bad_command) {
      complain(error, failure->sentence);
      return failure->exit_code;
    }
  // A file that goes to standard output leaves no place for the report there.
  const bool is_taken = std::ranges::any_of(outputs_of(options), is_standard_output);
  return Certification(options, is_taken ? error : out, error).run();
}

}  // namespace certile::conformance
