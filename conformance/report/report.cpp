#include "conformance/report/report.hpp"

#include <nlohmann/json.hpp>  // IWYU pragma: keep

#include <algorithm>
#include <array>

#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

namespace {

constexpr std::array formats{
#define FORMAT(NAME, SHOWS_UNSTARTED, HELP) Format{#NAME, HELP, SHOWS_UNSTARTED, write_##NAME},
#include "conformance/report/formats.inc"
#undef FORMAT
};

}  // namespace

std::span<const Format> all_formats() noexcept {
  return formats;
}

namespace {

constexpr std::size_t annotation_limit = 10;  // what GitHub shows of a step
constexpr std::size_t bytes_of_annotation = 1024;

// Returns the text as the value of a workflow command, which ends at a newline.
std::string command_text(std::string_view text, std::string_view also_escaped) {
  std::string escaped;
  for (const char character : text) {
    if (character == '%' || character == '\r' || character == '\n' ||
        also_escaped.find(character) != std::string_view::npos) {
      constexpr std::string_view digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(character);
      escaped += {'%', digits[byte >> 4U], digits[byte & 15U]};
    } else {
      escaped += character;
    }
  }
  return escaped;
}

// Returns one line: the clause in the title, and its plainest failure in the text.
std::string annotation(const std::string& backend, const FailureGroup& group, const std::string& spelling) {
  const std::string text = describe_failure(*group.shown.front(), spelling, bytes_of_annotation);
  return "::error title=" + command_text(backend + ": " + heading(group), ":,") +
         "::" + command_text(text.substr(0, text.find_last_not_of('\n') + 1), "") + "\n";
}

}  // namespace

Result<Done> write_annotations(const std::string& path, const std::vector<const Summary*>& summaries) {
  std::string lines;
  std::size_t count = 0;
  for (const Summary* summary : summaries) {
    const std::string backend = printable_name(summary->header().claim.name);
    for (const FailureGroup& group : failures_by_clause(*summary, 1)) {
      if (count++ == annotation_limit) return write_whole_file(path, lines);
      lines += annotation(backend, group, summary->header().spelling);
    }
  }
  return write_whole_file(path, lines);
}

namespace {

struct Look {
  Summary::Conformance conformance;
  const char* message;
  const char* colour;
};
// From the gravest on: of several runs, the badge shows the first of these.
constexpr std::array looks{
    Look{Summary::Conformance::none, "not conformant", "red"},
    Look{Summary::Conformance::incomplete, "not finished", "orange"},
    Look{Summary::Conformance::nothing_run, "nothing run", "lightgrey"},
    Look{Summary::Conformance::partial, "a part was run", "lightgrey"},
    Look{Summary::Conformance::text, "conformant to the text", "yellowgreen"},
    Look{Summary::Conformance::full, "conformant", "brightgreen"},
};

const Look& look_of(const Summary& summary) {
  using enum Summary::Conformance;
  // At the level full, a run that only the text accepts has failed.
  const bool is_failure = summary.conformance() == text && summary.exit_code() != 0;
  return *std::ranges::find(looks, is_failure ? none : summary.conformance(), &Look::conformance);
}

}  // namespace

Result<Done> write_badge(const std::string& path, const std::vector<const Summary*>& summaries) {
  const Summary& gravest = **std::ranges::min_element(
      summaries, {}, [](const Summary* each) { return &look_of(*each) - looks.data(); });
  const Look& look = look_of(gravest);
  std::string message = look.message;
  if (summaries.size() > 1 && look.conformance != Summary::Conformance::full)
    message = printable_name(gravest.header().claim.name) + ": " + message;
  const nlohmann::ordered_json badge = {
      {"schemaVersion", 1},
      {"label", "Tile"},
      {"message", message + " (" + std::string(name(gravest.header().options.tier)) + ")"},
      {"color", look.colour}};
  return write_whole_file(path, badge.dump() + "\n");
}

namespace {

constexpr std::size_t size_limit = std::size_t{900} * 1024;
constexpr std::size_t examples_on_page = 10;
constexpr std::string_view truncation_notice =
    "\n> **This summary was cut at 900 KiB.** `--records FILE` keeps every case.\n";

// A page of Markdown blocks, which are never cut.  After the first block that does not fit, only a notice is
// added.
class MarkdownPage {
 public:
  void add(std::string_view block) {
    if (is_full_) return;
    is_full_ = text_.size() + block.size() + truncation_notice.size() > size_limit;
    text_ += is_full_ ? truncation_notice : block;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool is_full_ = false;
};

std::string row(const std::vector<std::string>& cells) {
  return "| " + joined(cells, " | ") + " |\n";
}

void add_verdicts(MarkdownPage& page, const std::vector<const Summary*>& summaries) {
  page.add("# certile\n\n");
  page.add(row({"backend", "operators", "tier", "verdict", "pass", "vacuous", "fail", "waived", "unsupported",
                "not run", "inconclusive", "clauses"}));
  page.add("|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|\n");
  for (const Summary* summary : summaries) {
    const Claim& claim = summary->header().claim;
    const auto count = [summary](Verdict verdict) { return with_thousands(summary->count(verdict)); };
    page.add(row({markdown_text(printable_name(claim.name) + " " + printable_name(claim.version)),
                  joined(names_of<DefinitionId>(summary->definitions()), " "),
                  std::string(name(summary->header().options.tier)),
                  "**" + markdown_text(summary->verdict_line()) + "**", count(Verdict::pass),
                  with_thousands(summary->vacuous()), count(Verdict::fail), count(Verdict::waived),
                  count(Verdict::unsupported), count(Verdict::not_run), count(Verdict::inconclusive),
                  clauses_proven(clause_rows(*summary))}));
  }
}

void add_failures(MarkdownPage& page, const Summary& summary) {
  for (const FailureGroup& group : failures_by_clause(summary, examples_on_page)) {
    page.add("\n### " + markdown_text(heading(group)) + "\n");
    for (const Record* record : group.shown) {
      const std::string text = describe_failure(*record, summary.header().spelling, bytes_of_evidence);
      page.add("\n" + markdown_block(text));
    }
    const std::int64_t more = group.total - static_cast<std::int64_t>(group.shown.size());
    if (more > 0) page.add("\n… and " + with_thousands(more) + " more; `--records FILE` keeps every one\n");
  }
}

void add_stale_waivers(MarkdownPage& page, const Summary& summary) {
  if (summary.stale_waivers().empty()) return;
  std::string block = "\n### waivers that are not needed any more\n\n";
  for (const std::string& sentence : summary.stale_waivers())
    block += "- " + markdown_text(printable(sentence)) + "\n";
  page.add(block);
}

void add_clauses(MarkdownPage& page, const Summary& summary) {
  const std::vector<ClauseRow> rows = clause_rows(summary);
  std::string block = "\n<details><summary>" + clauses_proven(rows) + "</summary>\n\n";
  block += row({"clause", "name", "kind", "verdict"}) + "|---|---|---|---|\n";
  for (const ClauseRow& clause : rows) {
    block += row({std::string(clause.id), std::string(clause.name), std::string(clause.kind),
                  markdown_text(shortened(clause.words, 300))});
  }
  page.add(block + "\n</details>\n");
}

}  // namespace

Result<Done> write_markdown(const std::string& path, const std::vector<const Summary*>& summaries) {
  MarkdownPage page;
  add_verdicts(page, summaries);
  for (const Summary* summary : summaries) {
    page.add("\n## " + markdown_text(printable_name(summary->header().claim.name)) + "\n");
    add_clauses(page, *summary);
    add_failures(page, *summary);
    add_stale_waivers(page, *summary);
  }
  return write_whole_file(path, page.text());
}

}  // namespace certile::conformance
