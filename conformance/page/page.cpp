#include "conformance/page/page.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/embedded.hpp"

namespace certile::conformance {

// The style, page.css.
std::span<const EmbeddedFile> embedded_page();

Markup fact(OwnText name, const Markup& content) {
  return Markup::element("div", Markup::element("dt", Markup::own(name)) + Markup::element("dd", content));
}

namespace {

constexpr OwnText column_head = "th scope=col", row_head = "th scope=row";

std::string title_of(const Summary& summary) {
  const Claim& claim = summary.header().claim;
  return printable_name(claim.name) + " " + printable_name(claim.version);
}

Markup chips(const std::vector<std::string>& words) {
  Markup list;
  for (const std::string& word : words)
    list += Markup::element("li", word);
  return Markup::element("ul class=chips", list);
}

// The colour and the sign of a verdict.
struct VerdictLook {
  OwnText card, sign;
};

VerdictLook look_of(const Summary& summary) {
  switch (summary.conformance()) {
    case Summary::Conformance::full:
      return {"article class='card good'", "✓ "};
    case Summary::Conformance::text:
      if (summary.exit_code() == 0) return {"article class='card good'", "✓ "};
      [[fallthrough]];
    case Summary::Conformance::none:
      return {"article class='card bad'", "✗ "};
    default:
      return {"article class='card mild'", "◔ "};
  }
}

Markup counts_of(const Summary& summary) {
  Markup list;
  const auto add = [&list](OwnText what, std::int64_t count, const std::string& note = "") {
    list += Markup::element("div", Markup::element("dt", Markup::own(what)) +
                                       Markup::element("dd", Markup::text(with_thousands(count)) +
                                                                 Markup::element("small", note)));
  };
  const auto add_if_any = [&](OwnText what, std::int64_t count) {
    if (count > 0) add(what, count);
  };
  const std::int64_t unrecorded = std::max<std::int64_t>(0, summary.header().to_ask() - summary.recorded());
  const std::int64_t vacuous = summary.vacuous();
  add("pass", summary.count(Verdict::pass), vacuous > 0 ? with_thousands(vacuous) + " vacuous" : "");
  add("fail", summary.count(Verdict::fail));
  add_if_any("waived", summary.count(Verdict::waived));
  add_if_any("unsupported", summary.count(Verdict::unsupported));
  add_if_any("not run", summary.count(Verdict::not_run) + unrecorded);
  add_if_any("inconclusive", summary.count(Verdict::inconclusive));
  add_if_any("stale waivers", std::ssize(summary.stale_waivers()));
  return Markup::element("dl class=counts", list);
}

// Returns what identifies the run for someone who repeats it.
Markup details_of(const PageRun& run) {
  const RunHeader& header = run.summary->header();
  Markup facts;
  const auto add = [&facts](OwnText name, const std::string& words) {
    if (!words.empty()) facts += fact(name, Markup::text(words));
  };
  const auto add_digest = [&add](OwnText name, const std::string& digest, const std::string& note = "") {
    if (!digest.empty()) add(name, "sha256 " + digest + note);
  };
  add("spelling", header.spelling);
  add_digest("binary", header.backend_digest);
  add_digest("plan", header.plan_digest, ", " + counted(header.planned, "case"));
  add_digest("records", run.summary->records_digest());
  if (!header.waivers.path.empty()) add_digest("waivers", header.waivers.digest, " " + header.waivers.path);
  add("commit of certile", header.certile_commit + (header.certile_dirty ? ", changed" : ""));
  for (const Environment& machine : header.environments)
    add("machine",
        machine.architecture + ", " + machine.processor + ", " + machine.kernel + ", " + machine.libc);
  add("isolation", joined(header.isolation, "; "));
  return Markup::element("details", Markup::element("summary", "Digests, machine and isolation") +
                                        Markup::element("dl class=facts", facts));
}

Markup card_of(const PageRun& run, const std::string& label) {
  const Summary& summary = *run.summary;
  const RunHeader& header = summary.header();
  const std::string verdict = summary.verdict_line();
  const std::size_t notes = verdict.find(" (");
  const VerdictLook look = look_of(summary);
  Markup card = Markup::element(
      "h3", Markup::text(label) + (run.is_earlier ? Markup::element("small", "earlier run") : Markup()));
  card += Markup::element("p class=verdict", Markup::own(look.sign) + Markup::text(verdict.substr(0, notes)));
  if (notes != verdict.npos)
    card += Markup::element("p class=notes", verdict.substr(notes + 2, verdict.size() - notes - 3));
  card += counts_of(summary);
  card += Markup::element("p", clauses_proven(clause_rows(summary)));
  Markup facts = fact("definitions", chips(names_of<DefinitionId>(summary.definitions())));
  facts += fact("types", chips(names_of<ElementType>(header.claim.types)));
  facts += fact("types of repeats", chips(names_of<ElementType>(header.claim.repeats_types)));
  facts += fact("limits", Markup::text(size_limits_text(header.claim)));
  facts += fact("asked",
                Markup::text("tier " + std::string(name(header.options.tier)) + ", level " +
                             std::string(name(header.level)) + ", seed " +
                             std::to_string(header.options.seed) + ", by certile " + header.certile_version));
  if (const LawTally& laws = summary.laws(); laws.tried > 0)
    facts += fact(
        "laws", Markup::text(counted(laws.tried, "trial") + ", " + with_thousands(laws.broken) + " broken"));
  if (!run.records.empty()) facts += fact("records", Markup::text(run.records));
  card += Markup::element("dl class=facts", facts) + details_of(run);
  return Markup::element(look.card, card);
}

// Returns "after, binary a1b2c3d4: NOT CONFORMANT …".
std::string told_verdict(const std::string& when, const PageRun& run) {
  const std::string& digest = run.summary->header().backend_digest;
  return when + (digest.empty() ? "" : ", binary " + digest.substr(0, 8)) + ": " +
         run.summary->verdict_line();
}

Markup changes_of(const PageRun& run, const PageRun& earlier, const std::string& label,
                  const std::string& before) {
  const Comparison& changes = run.changes;
  Markup content = Markup::element(
      "h3", Markup::element("b", label) + Markup::text(" compared with ") + Markup::element("b", before));
  content += Markup::element("p", Markup::text(told_verdict("before", earlier)) + Markup::own("<br>") +
                                      Markup::text(told_verdict("after", run)));
  if (changes.changes.empty()) content += Markup::element("p", "Nothing changed.");
  for (const Comparison::Changes& each : changes.changes) {
    Markup list;
    for (const std::string& words : each.shown)
      list += Markup::element("li", Markup::element("code", shortened(words, 300)));
    const std::int64_t more = each.count - std::ssize(each.shown);
    if (more > 0)
      list += Markup::element("li", "and " + with_thousands(more) + " more, which certile diff shows");
    const Markup summary = Markup::element("summary", Markup::text(each.what) + Markup::own(": ") +
                                                          Markup::element("b", with_thousands(each.count)));
    content += Markup::element(each.is_worse ? OwnText("details open class=worse") : OwnText("details"),
                               summary + Markup::element("ul", list));
  }
  return Markup::element(
      changes.is_worse() ? OwnText("article class='card bad'") : OwnText("article class='card good'"),
      content);
}

// A state of a clause: its colour, its sign, which needs no colour, its word, and the cases that lead to it.
struct StateLook {
  OwnText cell, sign;
  const char* word;
  std::int64_t ClauseTally::*cases;
};
// In the order of ClauseState.
constexpr std::array<StateLook, 8> state_looks{{
    {"td class=good", "✓", "proven", &ClauseTally::proven},
    {"td class=good", "◔", "proven so far", &ClauseTally::proven},
    {"td class=bad", "✗", "violated", &ClauseTally::violated},
    {"td class=mild", "◐", "waived", &ClauseTally::waived},
    {"td class=bad", "△", "in doubt", &ClauseTally::failed},
    {"td class=soft", "○", "not exercised", nullptr},
    {"td class=soft", "–", "text defective", nullptr},
    {"td class=soft", "–", "not testable", nullptr},
}};

// The table of clauses by runs.
class ClauseTable {
 public:
  ClauseTable(const std::vector<PageRun>& runs, const std::vector<std::string>& labels)
      : runs_(runs), labels_(labels) {
    for (const PageRun& run : runs) {
      auto& by_id = rows_.emplace_back();
      for (const ClauseRow& row : clause_rows(*run.summary)) {
        by_id.emplace(row.id, row);
        if (known_.try_emplace(row.id, run.summary->header().clause(row.id)).second) order_.push_back(row.id);
      }
    }
  }

  Markup html() {
    Markup groups;
    for (const Page& page : all_pages()) {
      std::vector<std::string_view> ids;
      for (const Clause& clause : page.clauses)
        if (known_.contains(clause.id)) ids.push_back(clause.id);
      groups += group(page.name, ids);
      std::erase_if(order_, [&](std::string_view id) { return std::ranges::find(ids, id) != ids.end(); });
    }
    return groups + group("clauses of another certile", order_);
  }

 private:
  // Returns the clauses of one page, which are open if one of them is violated or in doubt.
  Markup group(const std::string& title, const std::vector<std::string_view>& ids) const {
    if (ids.empty()) return {};
    Markup head = Markup::element(column_head, "clause"), rows, sums;
    for (const std::string& label : labels_)
      head += Markup::element(column_head, label);
    bool is_open = false;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      std::vector<ClauseRow> asked;
      for (const std::string_view id : ids)
        if (const auto found = rows_[run].find(id); found != rows_[run].end()) {
          asked.push_back(found->second);
          is_open = is_open || found->second.state == ClauseState::violated ||
                    found->second.state == ClauseState::in_doubt;
        }
      if (!asked.empty())
        sums +=
            Markup::element("span", (runs_.size() > 1 ? labels_[run] + ": " : "") + clauses_proven(asked));
    }
    for (const std::string_view id : ids)
      rows += row(id);
    const Markup table =
        Markup::element("thead", Markup::element("tr", head)) + Markup::element("tbody", rows);
    return Markup::element(
        is_open || runs_.size() == 1 ? OwnText("details open") : OwnText("details"),
        Markup::element("summary", Markup::element("b", title) + sums) +
            Markup::element("div class=scroll", Markup::element("table class=clauses", table)));
  }

  Markup row(std::string_view id) const {
    const Clause* clause = known_.at(id);
    Markup heading = Markup::element("code", id);
    if (clause != nullptr) {
      const Markup named = heading + Markup::own(" ") + Markup::element("span", clause->name);
      // Records have no texts, so the page shows those of this program.
      const Clause* told = find_clause(id);
      heading = told == nullptr
                    ? named
                    : Markup::element("details", Markup::element("summary", named) +
                                                     Markup::element("p", Markup::prose(told->text)));
    }
    Markup cells = Markup::element(row_head, heading);
    for (std::size_t run = 0; run < runs_.size(); ++run)
      cells += cell(id, run);
    return Markup::element("tr", cells);
  }

  Markup cell(std::string_view id, std::size_t run) const {
    const auto found = rows_[run].find(id);
    if (found == rows_[run].end())
      return Markup::element("td class=soft", "not asked", {{"data-run", labels_[run]}});
    const ClauseState state = found->second.state;
    const StateLook& look = state_looks[static_cast<std::size_t>(state)];
    const auto& tallies = runs_[run].summary->tallies();
    const auto tally = tallies.find(id);
    const bool is_counted = look.cases != nullptr && tally != tallies.end();
    const std::int64_t count = is_counted ? tally->second.*look.cases : 0;
    Markup words = Markup::element("i aria-hidden=true", Markup::own(look.sign)) + Markup::own(" ") +
                   Markup::element("span class=state", look.word);
    if (count > 0) words += Markup::own(" ") + Markup::element("b", with_thousands(count));
    if (state == ClauseState::violated && !runs_[run].is_earlier)
      words = Markup::element("a", words, {{"href", "#" + anchor_of(std::to_string(run + 1), id)}});
    return Markup::element(look.cell, words, {{"data-run", labels_[run]}});
  }

  const std::vector<PageRun>& runs_;
  const std::vector<std::string>& labels_;
  std::map<std::string_view, const Clause*> known_;
  std::vector<std::string_view> order_;
  std::vector<std::map<std::string_view, ClauseRow>> rows_;  // by run
};

Markup section(OwnText heading, const Markup& content) {
  if (content.is_empty()) return {};
  return Markup::element("section", Markup::element("h2", Markup::own(heading)) + content);
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<PageRun>& runs) {
  std::vector<std::string> labels;
  for (const PageRun& run : runs)
    labels.push_back(title_of(*run.summary));
  // Adds a trait to the names that several runs have, if it tells one of these runs from another.
  const auto add = [&](const auto& trait_of) {
    const std::vector<std::string> same = labels;
    for (std::size_t one = 0; one < runs.size(); ++one) {
      const std::string trait = trait_of(one);
      for (std::size_t other = 0; other < runs.size() && labels[one] == same[one]; ++other)
        if (same[one] == same[other] && trait != trait_of(other) && !trait.empty())
          labels[one] += ", " + printable(shortened(trait, 80));
    }
  };
  add([&](std::size_t run) { return runs[run].records; });
  add([&](std::size_t run) { return runs[run].summary->header().spelling; });
  add([&](std::size_t run) { return "run " + std::to_string(run + 1); });
  return labels;
}

std::string page_of(const std::vector<PageRun>& runs) {
  const std::vector<std::string> labels = labels_of(runs);
  Markup cards, changes, failures;
  std::string title;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const PageRun& run = runs[number];
    cards += card_of(run, labels[number]);
    if (run.before && !run.is_earlier)
      changes += changes_of(run, runs[*run.before], labels[number], labels[*run.before]);
    if (run.is_earlier) continue;
    title += title_of(*run.summary) + ": " + run.summary->verdict_line() + "; ";
    const Markup part = failures_of(run, std::to_string(number + 1));
    if (!part.is_empty() && runs.size() > 1) failures += Markup::element("h3", labels[number]);
    failures += part;
  }
  const Markup body = Markup::element("div class=cards", cards) + section("Since the earlier run", changes) +
                      section("Failures", failures) + section("Clauses", ClauseTable(runs, labels).html());
  return "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
         "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "base-uri 'none'; form-action 'none'\">\n"
         "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
         "<meta name=color-scheme content='light dark'>\n" +
         Markup::element("title", "certile: " + shortened(title.substr(0, title.rfind("; ")), 200)).html() +
         "\n<style>" + std::string(embedded_page().front().text) + "</style>\n</head>\n<body>\n" +
         "<header><h1>certile</h1>what Tile means, and whether an implementation agrees</header>\n" +
         Markup::element("main", body).html() + "\n</body>\n</html>\n";
}

}  // namespace certile::conformance
