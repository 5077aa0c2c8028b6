#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
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
