#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <sstream>
#include <utility>

#include "conformance/explain/closer_look.hpp"
#include "conformance/page/page.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t failures_of_a_clause = 3, open_clauses = 4, longest_literal = 400, most_shares = 8;
// The part of a large output that is drawn.
constexpr PictureSize room{.width = 100, .rows = 10};

// Returns the numbers of failures by a trait, the most frequent first: "elements 10, left-unwritten 2".
std::string counts_by(const Summary::FailureKinds& kinds,
                      std::string (*trait)(const Summary::FailureKind& kind)) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [kind, count] : kinds)
    counts[trait(kind)] += count;
  std::vector<std::pair<std::string, std::int64_t>> ordered(counts.begin(), counts.end());
  std::ranges::stable_sort(ordered, std::ranges::greater(), [](const auto& each) { return each.second; });
  std::vector<std::string> words;
  for (const auto& [what, count] : ordered)
    words.push_back(what + " " + with_thousands(count));
  return listed(words, most_shares);
}

// Returns them by fault, by type and by rank.
std::array<std::string, 3> shares_of(const Summary::FailureKinds& kinds) {
  using Kind = Summary::FailureKind;
  return {counts_by(kinds, [](const Kind& kind) { return std::string(name(kind.fault)); }),
          counts_by(kinds, [](const Kind& kind) { return std::string(name(kind.type)); }),
          counts_by(kinds, [](const Kind& kind) { return "rank " + std::to_string(kind.rank); })};
}

// Returns an item for each line, without its indentation.
Markup items_of(const std::string& lines) {
  Markup items;
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);)
    items += Markup::element("li", line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return items;
}

// Returns one of the two grids of a picture.
Markup grid_of(const Picture& picture, OwnText title, bool is_seen) {
  Markup head = Markup::element("td", ""), rows;
  for (std::size_t column = 0; column < picture.rows.front().size(); ++column)
    head += Markup::element("th scope=col", std::to_string(picture.first_column + std::int64_t(column)));
  for (std::size_t row = 0; row < picture.rows.size(); ++row) {
    Markup cells = Markup::element("th scope=row", std::to_string(picture.first_row + std::int64_t(row)));
    for (std::size_t column = 0; column < picture.rows[row].size(); ++column) {
      const Picture::Cell& cell = picture.rows[row][column];
      const bool is_wrong = is_seen && cell.is_wrong;
      std::string classes = is_wrong ? "wrong" : "";
      if (picture.row_borders[row]) classes += " lower";
      if (picture.column_borders[column]) classes += " right";
      Markup content = Markup::text(is_seen ? cell.seen : cell.expected);
      if (is_wrong) content += Markup::element("span class=spoken", " wrong, expected " + cell.expected);
      cells += classes.empty() ? Markup::element("td", content)
                               : Markup::element("td", content, {{"class", classes}});
    }
    rows += Markup::element("tr", cells);
  }
  return Markup::element(
      "figure", Markup::element("figcaption", Markup::own(title)) +
                    Markup::element("div class=scroll",
                                    Markup::element("table class=grid", Markup::element("tr", head) + rows)));
}

Markup html_of(const PicturedFailure& look) {
  Markup html;
  if (!look.which.empty()) html += Markup::element("p class=part", look.which);
  if (look.picture) {
    const Picture& picture = *look.picture;
    for (const std::string& line : {picture.slice, picture.part})
      if (!line.empty()) html += Markup::element("p class=part", line);
    html += Markup::element("div class=grids",
                            grid_of(picture, "expected", false) + grid_of(picture, "got", true));
    html += Markup::element("p class=part",
                            picture.has_unwritten() ? "marked: wrong   ?: not written" : "marked: wrong");
  }
  if (!look.sentences.empty()) html += Markup::element("ul class=why", items_of(look.sentences));
  return html;
}

Markup failure_of(const PageRun& run, const Record& record, bool is_open) {
  const Finding& found = record.now();
  Markup html = Markup::element("pre", shortened(printable_lines(found.words), bytes_of_evidence));
  int passes = 0;
  PicturedFailure look = recorded_look(record, room, run.patterns->outputs_like(record));
  if (const auto again = run.looks.find(record.literal); again != run.looks.end()) {
    if (!again->second.failed) passes = again->second.asked;
    if (!look.picture) look = again->second.shown;
  }
  html += html_of(look);
  html += Markup::element("ul class=commands",
                          items_of(look_closer(record, run.summary->header().spelling, passes)));
  const Markup summary = Markup::element(
      "summary", Markup::element("code", shortened(printable(record.literal), longest_literal)) +
                     Markup::own(" ") + Markup::element("em", name(found.fault)));
  return Markup::element(is_open ? OwnText("details open class=failure") : OwnText("details class=failure"),
                         summary + html);
}

}  // namespace

std::string anchor_of(const std::string& id, std::string_view clause) {
  return "failures-" + id + "-" + std::string(clause);
}

Markup failures_of(const PageRun& run, const std::string& id) {
  const std::vector<FailureGroup> groups = most_telling_first(*run.summary, failures_of_a_clause);
  Summary::FailureKinds all;
  Markup clauses;
  for (const FailureGroup& group : groups) {
    const auto& kinds = run.summary->failure_kinds().find(group.id)->second;
    for (const auto& [kind, count] : kinds)
      all[kind] += count;
    const auto shares = shares_of(kinds);
    Markup content = Markup::element("p class=kinds", joined({shares.begin(), shares.end()}, " · "));
    if (const Clause* clause = find_clause(group.id))
      content += Markup::element("blockquote", Markup::prose(clause->text));
    const auto confirmed = run.confirmed.find(group.id);
    const std::string pattern = confirmed != run.confirmed.end() ? confirmed->second
                                : group.shown.empty()
                                    ? std::string()
                                    : FailurePatterns::line_of(run.patterns->of(*group.shown.front()));
    if (!pattern.empty()) content += Markup::element("ul class=why", items_of(pattern));
    for (const Record* record : group.shown)
      content += failure_of(run, *record, record == group.shown.front());
    if (const std::int64_t more = group.total - std::ssize(group.shown); more > 0)
      content += Markup::element("p class=more",
                                 "… and " + with_thousands(more) + " more; the records have every one");
    const Markup head = Markup::element("code", group.id.empty() ? "no clause" : group.id) +
                        Markup::own(" ") + Markup::element("b", clause_name(group)) + Markup::own(" ") +
                        Markup::element("span class=bad", counted(group.total, "failure"));
    const bool is_open = &group < groups.data() + open_clauses;
    clauses += Markup::element(is_open ? OwnText("details open class=card") : OwnText("details class=card"),
                               Markup::element("summary", head) + content, {{"id", anchor_of(id, group.id)}});
  }
  Markup html;
  if (groups.size() > 1) {
    constexpr std::array<OwnText, 3> names{"by fault", "by type", "by rank"};
    const auto shares = shares_of(all);
    for (std::size_t trait = 0; trait < names.size(); ++trait)
      html += fact(names[trait], Markup::text(shares[trait]));
    html = Markup::element("dl class=facts", html);
  }
  if (const std::string cause = run.patterns->one_cause(); !cause.empty())
    html += Markup::element("p class=cause", cause);
  html += clauses;
  Markup stale;
  for (const std::string& sentence : run.summary->stale_waivers())
    stale += Markup::element("li", sentence);
  if (!stale.is_empty())
    html += Markup::element("h3", "Waivers that are not needed any more") + Markup::element("ul", stale);
  return html;
}

}  // namespace certile::conformance
