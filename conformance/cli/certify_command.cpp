#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/environment.hpp"
#include "conformance/ask/process/loaded_files.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/cli/certify_checks.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/cli/worker_check.hpp"
#include "conformance/explain/closer_look.hpp"
#include "conformance/explain/failure_patterns.hpp"
#include "conformance/explain/shrink.hpp"
#include "conformance/laws/try_laws.hpp"
#include "conformance/records/cut_run.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/report/report.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/chunk_runner.hpp"
#include "conformance/run/retry_budget.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/shell_words.hpp"
#include "conformance/text/terminal.hpp"
#include "conformance/text/version.hpp"
#include "conformance/waivers/waiver.hpp"
#include "conformance/waivers/waiver_book.hpp"

namespace certile::conformance {
namespace {

class CertifyRun {
 public:
  CertifyRun(const CertifyOptions& options, std::optional<Shard> shard, std::ostream& out,
             std::ostream& error)
      : options_(options), shard_(shard), text_(options.text), out_(out), error_(error) {
    if (&out == &error) text_.colour = false;
  }

  int run() {
    auto opened = RunRecords::open(options_.records, options_.reports.certificate);
    if (!opened) return fail(opened.error().what, exit_bad_command);
    records_ = *std::move(opened);
    auto page = PageFile::open(options_.reports.page);
    if (!page) return fail(page.error().what, exit_bad_command);
    page_ = *std::move(page);
    int code = exit_conformant;
    const Tier tier = options_.plan.tier;
    for (const std::string& spelling : options_.backends) {
      const std::size_t before = shown_.size();
      options_.plan.tier = std::ranges::count(options_.in_smoke, spelling) != 0 ? Tier::smoke : tier;
      const int one = interrupted().load() ? fail("", exit_interrupted) : certify(spelling);
      if (one == exit_bad_command) {
        if (!judged_.empty()) write_reports();  // of the backends judged before
        return one;
      }
      if (shown_.size() == before) show_unjudged(spelling);
      code = graver(code, one);
    }
    write_overview(out_, judged_, text_);
    const int written = write_reports();
    if (records_failed_) return graver(code, exit_own_failure);
    return written == exit_bad_command ? written : graver(code, written);
  }

 private:
  // Complains of what failed, or once that the user interrupted it.  Returns the exit code.
  int fail(const std::string& sentence, int code) {
    const bool is_stopped = interrupted().load();
    if (is_stopped && failure_ == "interrupted") return exit_interrupted;
    failure_ = is_stopped ? "interrupted" : sentence;
    return complain(error_, failure_, is_stopped ? exit_interrupted : code);
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
    page_.add_unstarted(*shown_.back());
  }

  // Returns an exit code if the worker does not speak the protocol.  Errors in the protocol and in Tile are
  // easier to tell from eight calls than from thousands of cases, so this is checked first.
  std::optional<int> check_protocol(const std::string& spelling) {
    const auto command = backends::worker_command(spelling);
    if (!command) return std::nullopt;
    const auto check =
        check_worker(in_environment(*command, options_.run.isolate.environment), options_.run.isolate);
    if (!check || interrupted().load()) return fail(check ? "" : check.error().what, exit_not_loaded);
    if (check->is_right()) return std::nullopt;
    for (const WorkerCheck::Step& step : check->steps)
      if (!step.wrong.empty()) complain(error_, step.asked + ": " + with_lines_indented(step.wrong));
    const int code = fail("these are calls that any Tile gets right: certile worker-check " +
                              quoted_for_shell(*command) + " shows them all",
                          exit_not_loaded);
    return check->speaks ? std::nullopt : std::optional(code);
  }

  int certify(const std::string& spelling) {
    const auto start = std::chrono::steady_clock::now();
    RunOptions run = options_.run;
    run.isolate.spelling = spelling;
    LoadedFiles loaded;
    run.isolate.loaded = &loaded;
    std::atomic<std::uint64_t> printed{0};
    run.isolate.printed = &printed;
    WrittenPaths written;
    run.isolate.written = &written;
    const auto files = JudgedFiles::of(spelling);  // before anything is loaded
    if (const auto code = check_protocol(spelling)) return *code;
    Started started = start_backend(run.isolate);
    if (!started.claim) return fail(started.failure->sentence, started.failure->exit_code);
    if (!files) return fail(files.error().what, exit_not_loaded);
    run.backend = started.claim->name;
    Result<WaiverFile> waived = WaiverFile{};
    if (!options_.waivers.empty())
      waived = read_waivers(options_.waivers, started.claim->name, &interrupted());
    if (!waived) return fail(waived.error().what, exit_bad_command);
    WaiverBook waivers(waived->waivers, today());
    PlanOptions options = options_.plan;
    options.also = waivers.literals();
    options.interrupted = &interrupted();
    auto plan = make_plan(*started.claim, started.transport, options);
    if (!plan) return fail(plan.error().what, exit_code_of(plan.error()));

    RunHeader begun = described_run(spelling, std::move(started), *files, *plan, run, options_);
    begun.options.also = options.also;
    begun.waivers = {waived->path, waived->digest, static_cast<std::int64_t>(waived->waivers.size())};
    if (options_.reports.certificate.are_requested())
      if (const auto why = no_certificate_because(begun))
        return fail("no certificate can be written, because " + *why, exit_bad_command);
    run.share = share_of(*plan, shard_);
    if (shard_) {
      run.shards = shard_->of;
      begun.shard = {*shard_, static_cast<std::int64_t>(run.share->size()), host_name()};
    }
    if (!options_.resume.empty())
      if (const auto same = read_cut_header(options_.resume, begun); !same)
        return fail(same.error().what, exit_bad_command);
    Summary summary(std::move(begun));
    WaiverProposal proposal;
    FailurePatterns patterns;
    page_.begin(summary.header(), options_.resume.empty() ? options_.records : options_.resume);
    Progress progress(summary.header().claim.name, summary.header().to_ask());
    LeftOut left_out;
    const auto account = [&](Record& record) {
      if (is_left_out(record)) ++left_out[record.now().words];
      waivers.apply(record);
      proposal.add(record);
      summary.add(record);
      patterns.add(record);
      page_.add(record);
      progress.add(record);
      return Result<Done>(Done{});
    };
    const auto take = [&](Record record) {
      auto done = account(record);
      write_record([&] { return records_.writer->record(record); });
      return done;
    };
    if (options_.resume.empty())
      write_record([&] { return records_.writer->header(summary.header()); });
    else if (const auto resumed = resume(summary.header(), *plan, run, account); !resumed)
      return fail(resumed.error().what, exit_bad_command);
    auto ran = run_plan(*plan, run, take);
    if (ran) ran = try_laws_on(*plan, run.isolate, summary, take);
    int code = exit_conformant;
    if (interrupted().load()) {
      summary.mark_incomplete("it was interrupted");
      code = exit_interrupted;
    } else if (!ran) {
      summary.mark_incomplete(printable(first_line(ran.error().what)));
      code = fail(ran.error().what,
                  ran.error().code == Error::Code::backend_failed ? exit_own_failure : exit_not_loaded);
    } else if (const auto changed = files->changed_since(loaded)) {
      summary.mark_incomplete(printable(*changed));
      code = fail(printable(*changed), exit_not_conformant);
    }
    summary.set_loaded(loaded.parts());
    const bool whole = code == exit_conformant && !plan->filtered && !shard_;
    for (std::string& sentence : waivers.stale(whole))
      summary.add_stale_waiver(std::move(sentence));
    if (shard_) {
      const std::string host = host_name();
      summary.add_of_shard({waivers.stale(true), host == summary.header().shard->host ? "" : host});
    }
    if (!options_.write_waivers.empty()) propose(summary, proposal, waivers, waived->path);
    write_record([&] { return records_.writer->footer(summary); });
    if (records_.writer != nullptr && !records_failed_)
      summary.set_records_digest(records_.writer->run_digest());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    progress.clear();
    for (const std::string& remark : remarks_on(summary, left_out, printed, written))
      complain(error_, remark);
    text_.seconds = seconds.count();
    if (!judged_.empty() && text_.detail != Detail::verdict) out_ << '\n';
    show_closely(run.isolate, patterns);
    write_text_report(out_, summary, text_);
    if (!options_.reports.page.path.empty()) ask_for_page(summary);
    text_.closer = text_.shrunk = {};
    text_.common.clear();
    text_.legend = false;
    out_.flush();
    shown_.push_back(std::make_unique<Summary>(std::move(summary)));
    judged_.push_back(shown_.back().get());
    page_.close(*judged_.back(), std::move(patterns));
    return code == exit_conformant ? judged_.back()->exit_code() : code;
  }

  // Goes on with a run whose records were cut short: passes on the records that are kept, and opens their
  // file.
  Result<Done> resume(const RunHeader& header, const Plan& plan, RunOptions& run,
                      const std::function<Result<Done>(Record&)>& account) {
    const auto cut =
        read_cut_run(options_.resume, header, pieces_of(plan, *run.share, run.shards), [&](Record& record) {
          if (RetryBudget::counts(record)) run.before.push_back(record);
          return account(record);
        });
    if (!cut) return cut.error();
    run.done = cut->cases;
    TRY(auto writer, cut->bytes == 0 ? RecordWriter::open(options_.resume)
                                     : RecordWriter::reopen(options_.resume, cut->bytes));
    records_ = {options_.resume, std::move(writer)};
    if (cut->bytes == 0)
      write_record([&] { return records_.writer->header(header); });
    else
      complain(error_, "goes on after " + with_thousands(static_cast<std::int64_t>(cut->cases)) + " of " +
                           counted(header.to_ask(), "case") + ", whose records " +
                           printable(options_.resume) + " has");
    return Done{};
  }

  // Lets the report show of some failures what only asking again, or comparing them with passes, shows.
  void show_closely(const IsolateOptions& isolate, const FailurePatterns& patterns) {
    if (interrupted().load()) return;
    text_.common = patterns.one_cause();
    text_.closer = [this, isolate, &patterns](const Record& record) {
      const CloserLook look = closer_look(record, isolate, {.width = text_.width, .rows = rows_in_brief},
                                          patterns.outputs_like(record));
      const std::string pattern = FailurePatterns::line_of(patterns.of(record, &isolate));
      page_.show(record, look, pattern);
      return text_of(look.shown) + pattern +
             look_closer(record, isolate.spelling, look.failed ? 0 : look.asked);
    };
    if (!options_.shrink) return;
    text_.shrunk = [isolate](const Record& record) {
      const auto& literals = record.reproduce();
      const auto shrunk =
          conformance::shrink(literals.empty() ? std::vector{record.literal} : literals, isolate);
      return shrunk ? text_of(*shrunk) : printable(shrunk.error().what) + "\n";
    };
  }

  // Asks the plainest failures again whose outputs are too large for a record, so that the page draws them.
  void ask_for_page(const Summary& summary) const {
    for (const FailureGroup& group : most_telling_first(summary, text_.closer ? 1 : 0))
      for (const Record* plainest : group.shown)
        if (const Fault fault = plainest->now().fault;
            !plainest->judged.output && !page_.has_shown(*plainest) &&
            (fault == Fault::elements || fault == Fault::left_unwritten))
          text_.closer(*plainest);
  }

  // Laws search for errors that the cases miss.  They are not tried if cases fail already, nor if the user
  // chose the cases.
  Result<Done> try_laws_on(const Plan& plan, const IsolateOptions& isolate, Summary& summary,
                           const std::function<Result<Done>(const Record&)>& take) const {
    // A shard may have no case that passes, although the whole plan does.
    const bool may_pass = summary.count(Verdict::pass) > 0 || shard_;
    if (interrupted().load() || summary.header().filtered || !may_pass ||
        summary.count(Verdict::fail) + summary.count(Verdict::waived) + summary.count(Verdict::not_run) != 0)
      return Done{};
    LawShare share = law_share(options_.plan.tier, options_.plan.seed);
    share.shard = shard_;
    TRY(const auto tally, try_laws(plan, share, isolate, interrupted(), take));
    summary.add_laws(tally);
    return Done{};
  }

  std::chrono::year_month_day today() const {
    using std::chrono::days, std::chrono::floor, std::chrono::system_clock;
    return options_.today ? *options_.today : std::chrono::year_month_day(floor<days>(system_clock::now()));
  }

  // Writes the proposed waivers.  An existing file is overwritten only if its waivers were read.
  void propose(const Summary& summary, const WaiverProposal& proposal, const WaiverBook& waivers,
               const std::string& read) {
    const std::string path = waivers_path(options_.write_waivers, summary.header().claim.name);
    constexpr std::chrono::days half_a_year{180};
    const std::chrono::year_month_day until(std::chrono::sys_days(today()) + half_a_year);
    if (const auto done = write_proposal(path, read, proposal.text(waivers.in_use(), until)); !done) {
      complain(error_, done.error().what);
      all_written_ = false;
    }
  }

  // Writes a part of the records.  The run goes on after an error, but without records.
  template <class Write>
  void write_record(Write&& write) {
    if (records_.writer == nullptr || records_failed_) return;
    const auto written = write();
    if (written) return;
    records_failed_ = true;
    complain(error_, written.error().what);
  }

  // Returns 0, or the exit code of a file or a certificate that was not written.
  int write_reports() {
    std::vector<const Summary*> all;
    for (const auto& summary : shown_)
      all.push_back(summary.get());
    const int code = options_.reports.write_all(all, judged_, records_.path, page_, out_, error_);
    return all_written_ ? code : exit_bad_command;
  }

  CertifyOptions options_;
  std::optional<Shard> shard_;
  TextOptions text_;
  std::ostream& out_;
  std::ostream& error_;
  RunRecords records_;
  PageFile page_;
  bool records_failed_ = false;
  bool all_written_ = true;  // proposals
  std::string failure_;      // the last message on standard error
  std::vector<std::unique_ptr<Summary>> shown_;
  std::vector<const Summary*> judged_;  // those of shown_ whose backends started
};

}  // namespace

int certify_command(const CertifyOptions& options, std::ostream& out, std::ostream& error) {
  if (const auto why = contradiction_in(options)) return complain(error, *why);
  const auto shard = shard_of(options.shard);
  if (!shard) return complain(error, shard.error().what);
  if (*shard && !(*shard)->by.empty())
    complain(error, "this is " + to_string((*shard)->shard) + " to " + (*shard)->by);
  if (!options.waivers.empty())
    if (const auto done = check_waivers(options.waivers, &interrupted()); !done)
      return complain(error, done.error().what, interrupted().load() ? exit_interrupted : exit_bad_command);
  const std::vector<NamedFile> records{{"--records", options.records}, {"--resume", options.resume}};
  if (const auto problem = options.reports.prepare(records, inputs_of(options)))
    return complain(error, *problem);
  const std::filesystem::path waivers = waivers_path(options.write_waivers, "any");
  if (!options.write_waivers.empty() && std::filesystem::exists(waivers.parent_path()))  // else it is made
    if (const auto can = check_place(waivers); !can) return complain(error, can.error().what);
  for (const std::string& spelling : options.backends)
    if (const auto failure = check_spelling(spelling); failure && failure->exit_code == exit_bad_command)
      return complain(error, failure->sentence);
  // A file that goes to standard output leaves no place for the report there.
  const bool is_taken = options.records == "-" || options.reports.has_standard_output();
  return CertifyRun(options, *shard ? std::optional((*shard)->shard) : std::nullopt, is_taken ? error : out,
                    error)
      .run();
}

}  // namespace certile::conformance
