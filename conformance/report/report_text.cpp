#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

namespace {

constexpr std::size_t examples_per_clause = 3;
// A brief report fits on a screen of 40 lines.
constexpr std::size_t longest_in_table = 120, clauses_in_brief = 20, bytes_of_brief_evidence = 1000,
                      bytes_of_history = 500;

constexpr std::string_view legend =
    "\n  smoke, core: how many cases are asked; full: certile's own rules count too; claim: what the library "
    "says it does\n"
    "  clause: one rule of the text or the contract; charged: its failure; in doubt: no case that tries it "
    "passed\n"
    "  vacuous: an empty output; waived: accepted for a time; inconclusive: no text says.  More: certile "
    "explain WORD\n";

enum class Colour { green = 32, red = 31, yellow = 33 };

std::string coloured(const std::string& text, Colour colour, const TextOptions& options) {
  if (!options.colour) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(colour), text);
}

Colour colour_of(const Summary& summary) {
  switch (summary.conformance()) {
    case Summary::Conformance::full:
      return Colour::green;
    case Summary::Conformance::text:
      return summary.exit_code() == 0 ? Colour::green : Colour::red;
    case Summary::Conformance::none:
      return Colour::red;
    default:
      return Colour::yellow;
  }
}

// Writes a line such as "  types      f32 f64 …", broken between words if it is longer than `width`.
void write_wrapped(std::ostream& out, std::string_view label, const std::vector<std::string>& words,
                   std::size_t width) {
  std::string line = fmt::format("  {:<14}", label);
  const std::size_t indent = line.size();
  for (const std::string& word : words) {
    if (line.size() > indent && line.size() + word.size() > width) {
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      line = std::string(indent, ' ');
    }
    line += word + " ";
  }
  out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
}

void write_first_line(std::ostream& out, const Summary& summary) {
  const RunHeader& header = summary.header();
  out << fmt::format("{} {}   certile {}   tier {}   level {}   seed {}\n", printable_name(header.claim.name),
                     printable_name(header.claim.version), header.certile_version, name(header.options.tier),
                     name(header.level), header.options.seed);
}

void write_what_was_run(std::ostream& out, const Summary& summary, std::size_t width) {
  const RunHeader& header = summary.header();
  const Claim& claim = header.claim;
  out << fmt::format("  binary        sha256 {}\n", header.backend_digest);
  out << fmt::format(
      "  plan          sha256 {}, {}{}\n", header.plan_digest, counted(header.planned, "case"),
      std::string(header.filtered ? ", filtered" : "") +
          (header.options.budget ? ", with a budget of " + in_words(*header.options.budget) + " for " +
                                       counted(header.before_budget.value_or(0), "case")
                                 : std::string()) +
          (header.shard ? ", of which " + to_string(header.shard->shard) + " has " +
                              with_thousands(header.shard->cases)
                        : std::string()));
  write_wrapped(out, "operators", names_of<DefinitionId>(claim.definitions), width);
  write_wrapped(out, "types", names_of<ElementType>(claim.types), width);
  write_wrapped(out, "repeats types", names_of<ElementType>(claim.repeats_types), width);
  if (const LawTally& laws = summary.laws(); laws.tried > 0)
    out << fmt::format("  laws          {}, {} broken\n", counted(laws.tried, "trial"), laws.broken);
  write_wrapped(out, "limits", {size_limits_text(claim)}, width);
  for (const std::string& layer : header.isolation)
    write_wrapped(out, "isolation", {printable(layer)}, width);
  if (!header.waivers.path.empty())
    out << fmt::format("  waivers       sha256 {}, {} in {}\n", header.waivers.digest, header.waivers.count,
                       printable(header.waivers.path));
}

void write_stale_waivers(std::ostream& out, const Summary& summary, const TextOptions& options) {
  if (summary.stale_waivers().empty()) return;
  out << '\n' << coloured("waivers that are not needed any more", Colour::red, options) << "\n\n";
  for (const std::string& sentence : summary.stale_waivers())
    out << "  " << printable(sentence) << '\n';
}

void write_failures(std::ostream& out, const Summary& summary, const TextOptions& options) {
  for (const FailureGroup& group : failures_by_clause(summary, examples_per_clause)) {
    out << '\n' << coloured(heading(group), Colour::red, options) << "\n\n";
    for (const Record* record : group.shown) {
      out << describe_failure(*record, summary.header().spelling, bytes_of_evidence);
    }
    if (options.shrunk && !group.shown.empty()) out << '\n' << options.shrunk(*group.shown.front());
    const std::int64_t more = group.total - static_cast<std::int64_t>(group.shown.size());
    if (more > 0) out << fmt::format("… and {} more; --records FILE keeps every one\n", with_thousands(more));
  }
}

// Writes a failure of the clause that needs earlier calls, if one is known and none was shown, because its
// literal in the table passes alone.
void write_history(std::ostream& out, const FailureGroup& group, const Record* shown,
                   const std::string& spelling) {
  const auto needs_calls = [](const Record* record) { return record->reproduce().size() > 1; };
  const auto found = std::ranges::find_if(group.shown, needs_calls);
  const bool is_shown = std::ranges::find(group.shown, shown) != group.shown.end() && needs_calls(shown);
  if (found != group.shown.end() && !is_shown)
    out << '\n' << describe_failure(**found, spelling, bytes_of_history);
}

// Writes a line for each violated clause, with its plainest failure, and then the most telling one whole.
void write_failures_in_brief(std::ostream& out, const Summary& summary, const TextOptions& options) {
  const auto groups = most_telling_first(summary, 2);
  if (groups.empty()) return;
  std::size_t widest = std::string_view("name").size();
  for (const FailureGroup& group : groups)
    widest = std::max(widest, clause_name(group).size());
  out << fmt::format("\n{:<12} {:<{}} {:>9}  {}\n", "clause", "name", widest, "failures", "plainest failure");
  for (const FailureGroup& group : groups) {
    if (&group - groups.data() == clauses_in_brief) {
      out << fmt::format("… and {} more clauses; --verbose shows them\n", groups.size() - clauses_in_brief);
      break;
    }
    const Record* first = group.shown.empty() ? nullptr : group.shown.front();
    out << coloured(fmt::format("{:<12} {:<{}} {:>9}", printable(group.id), clause_name(group), widest,
                                with_thousands(group.total)),
                    Colour::red, options)
        << (first == nullptr
                ? ""
                : fmt::format("  {}   {}", shortened(printable(first->literal), longest_in_table),
                              name(first->now().fault)))
        << '\n';
  }
  out << options.common;
  const Record* const record = groups.front().shown.empty() ? nullptr : groups.front().shown.front();
  if (record != nullptr)
    out << '\n'
        << failure_text(*record, bytes_of_brief_evidence)
        << (options.closer ? options.closer(*record) : look_closer(*record, summary.header().spelling));
  for (const FailureGroup& group : groups)
    write_history(out, group, record, summary.header().spelling);
  if (!options.shrunk) return;
  for (const FailureGroup& group : groups)
    if (!group.shown.empty())
      out << '\n' << printable(group.id) << '\n' << options.shrunk(*group.shown.front());
}

void write_clause_table(std::ostream& out, const std::vector<ClauseRow>& rows, const TextOptions& options) {
  out << fmt::format("\n{:<12} {:<28} {:<12} {}\n", "clause", "name", "kind", "verdict");
  for (const ClauseRow& row : rows) {
    const bool is_violated = row.state == ClauseState::violated || row.state == ClauseState::in_doubt;
    const std::string words = shortened(row.words, 100);
    out << fmt::format("{:<12} {:<28} {:<12} {}\n", row.id, row.name, row.kind,
                       is_violated ? coloured(words, Colour::red, options) : words);
  }
}

void write_verdict(std::ostream& out, const Summary& summary, const TextOptions& options) {
  const RunHeader& header = summary.header();
  out << fmt::format("{} {}   {}   {}   {}\n", printable_name(header.claim.name),
                     printable_name(header.claim.version),
                     joined(names_of<DefinitionId>(summary.definitions()), " "), name(header.options.tier),
                     coloured(summary.verdict_line(), colour_of(summary), options));
}

void write_counts(std::ostream& out, const Summary& summary, const std::vector<ClauseRow>& rows,
                  const TextOptions& options) {
  const auto count = [&summary](Verdict verdict) { return with_thousands(summary.count(verdict)); };
  const std::int64_t unrecorded = std::max<std::int64_t>(0, summary.header().to_ask() - summary.recorded());
  out << fmt::format("  {} pass ({} vacuous)   {} fail   {} waived   {} unsupported   {} not run",
                     count(Verdict::pass), with_thousands(summary.vacuous()), count(Verdict::fail),
                     count(Verdict::waived), count(Verdict::unsupported),
                     with_thousands(summary.count(Verdict::not_run) + unrecorded));
  if (summary.count(Verdict::inconclusive) > 0)
    out << fmt::format("   {} inconclusive", count(Verdict::inconclusive));
  if (!summary.stale_waivers().empty())
    out << "   " << counted(static_cast<std::int64_t>(summary.stale_waivers().size()), "stale waiver");
  out << "   " << clauses_proven(rows);
  if (options.seconds) out << fmt::format("   {:.1f} s", *options.seconds);
  out << '\n';
}

}  // namespace

void write_text_report(std::ostream& out, const Summary& summary, const TextOptions& options) {
  if (options.detail == Detail::verdict) return write_verdict(out, summary, options);
  const std::vector<ClauseRow> rows = clause_rows(summary);
  const bool is_brief = options.detail == Detail::brief;
  const bool has_failures = summary.count(Verdict::fail) + summary.count(Verdict::stale_waiver) > 0;
  write_first_line(out, summary);
  if (is_brief && has_failures) {
    // The verdict comes first and last, because a reader may see only one end of the report.
    write_verdict(out, summary, options);
    write_failures_in_brief(out, summary, options);
  } else if (!is_brief) {
    write_what_was_run(out, summary, options.width);
    write_failures(out, summary, options);
  }
  write_stale_waivers(out, summary, options);
  if (!is_brief) write_clause_table(out, rows, options);
  if (!is_brief || has_failures || !summary.stale_waivers().empty()) out << '\n';
  write_verdict(out, summary, options);
  write_counts(out, summary, rows, options);
  if (options.legend) out << legend;
}

void write_overview(std::ostream& out, const std::vector<const Summary*>& runs, const TextOptions& options) {
  if (runs.size() < 2 || options.detail == Detail::verdict) return;
  std::size_t longest = std::string_view("backend").size();
  const auto title = [](const Summary& run) {
    return printable_name(run.header().claim.name) + " " + printable_name(run.header().claim.version);
  };
  for (const Summary* run : runs)
    longest = std::max(longest, title(*run).size());
  out << fmt::format("\n{:<{}}  {:>9}  {:>9}  {:>10}  {}\n", "backend", longest, "pass", "fail", "clauses",
                     "verdict");
  for (const Summary* run : runs) {
    const std::string clauses = clauses_proven(clause_rows(*run));
    const std::string verdict = run->verdict_line();
    out << fmt::format("{:<{}}  {:>9}  {:>9}  {:>10}  {}\n", title(*run), longest,
                       with_thousands(run->count(Verdict::pass)), with_thousands(run->count(Verdict::fail)),
                       clauses.substr(0, clauses.find(" clauses")),
                       coloured(verdict.substr(0, verdict.find(" (")), colour_of(*run), options));
  }
}

std::vector<FailureGroup> most_telling_first(const Summary& summary, std::size_t shown) {
  std::vector<FailureGroup> groups = failures_by_clause(summary, shown);
  const auto place = [](const FailureGroup& group) {
    if (group.shown.empty()) return std::tuple(true, true, Plainness());
    const Record& first = *group.shown.front();
    const Fault fault = first.now().fault;
    const bool is_circumstance =
        fault == Fault::unsteady || fault == Fault::raced || fault == Fault::misplaced;
    return std::tuple(first.reproduce().empty(), is_circumstance, plainness_of(first.literal));
  };
  std::ranges::stable_sort(groups, {}, place);
  return groups;
}

std::string indented_lines(std::string_view lines) {
  std::string out;
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    out += "      " + std::string(lines.substr(start, end - start)) + "\n";
    start = end + 1;
  }
  return out;
}

std::string failure_text(const Record& record, std::size_t evidence_limit) {
  std::string text = std::string(name(record.now().verdict)) + "  " + printable_name(record.backend) + "  " +
                     printable(record.literal);
  if (record.now().fault != Fault::none) text += "   " + std::string(name(record.now().fault));
  if (!record.now().charged.empty()) {
    text += "   [" + printable(record.now().charged);
    if (const Clause* clause = find_clause(record.now().charged)) text += " " + clause->name;
    text += ']';
  }
  text += '\n';
  return text + indented_lines(shortened(printable_lines(record.now().words), evidence_limit));
}

std::string look_closer(const Record& record, const std::string& spelling, int passes) {
  // A command that passes would be of no use.
  if (passes > 0)
    return "      it failed in the run, and passed " + counted(passes, "time") + " when it was asked again\n";
  if (record.was_asked_again() && record.reproduce().empty())
    return "      no command is known that shows it again\n";
  const bool is_late = record.now().fault == Fault::timeout;
  return std::string(is_late ? "      if it is only slow, --time-limit SECONDS gives each call more time\n"
                             : "") +
         "      look closer: " + reproduce_command(record, spelling) + "\n";
}

std::string describe_failure(const Record& record, const std::string& spelling, std::size_t evidence_limit) {
  return failure_text(record, evidence_limit) + look_closer(record, spelling);
}

std::string reproduce_command(const Record& record, const std::string& spelling) {
  std::string command = "certile run " + quoted_for_shell(spelling);
  if (record.reproduce().empty()) return command + " '" + printable(record.literal) + "'";
  // A history may be long, so only its beginning and its end are shown; the records contain all of it.
  constexpr std::size_t shown_at_each_end = 3;
  const std::size_t count = record.reproduce().size();
  const bool is_cut = count > 2 * shown_at_each_end + 2;
  for (std::size_t index = 0; index < count; ++index) {
    if (is_cut && index == shown_at_each_end) {
      index = count - shown_at_each_end;
      command += " … " + std::to_string(index - shown_at_each_end) + " more …";
    }
    command += " '" + printable(record.reproduce()[index]) + "'";
  }
  if (is_cut) command += "   (" + std::to_string(count) + " cases, all of them in a file of --records)";
  return command;
}

}  // namespace certile::conformance
