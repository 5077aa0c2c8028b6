#include "conformance/records/comparison.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "backends/plugin/claim.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

using backends::ClaimWord;
using State = ClauseState;

// The kinds of changes, from the gravest on; those before `passing` make a run worse.
enum Kind {
  failing,
  waived,
  not_run,
  unsupported,
  claim,
  clause,
  less_run,
  passing,
  better_clause,
  came,
  went,
  plan
};
constexpr std::array<std::string_view, 12> kind_words{"newly failing",
                                                      "newly failing, and waived",
                                                      "newly not run",
                                                      "newly unsupported",
                                                      "claim narrowed",
                                                      "clauses that are worse off",
                                                      "the run is no longer whole",
                                                      "newly passing",
                                                      "clauses that are better off",
                                                      "cases that came",
                                                      "cases that went",
                                                      "plan changed"};

bool is_failing(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::stale_waiver;
}

std::string key_of(const Record& record) {
  return record.law.empty() ? record.literal : record.literal + " (law " + record.law + ")";
}

std::string told(const Record& record) {
  const Finding& now = record.now();
  std::string words = key_of(record);
  if (!now.charged.empty()) words += "   " + std::string(now.charged) + " " + std::string(name(now.fault));
  return printable(words);
}

std::vector<std::string> words_in(const std::string& list) {
  std::istringstream words(list);
  std::vector<std::string> all;
  for (std::string word; words >> word;)
    all.push_back(word);
  return all;
}

// Returns what a word of a claim has lost, or nothing.
std::string lost(const ClaimWord& before, const ClaimWord& after) {
  switch (before.kind) {
    case ClaimWord::Kind::text:
      return {};
    case ClaimWord::Kind::names: {
      const std::vector<std::string> now = words_in(after.word);
      std::vector<std::string> gone;
      for (const std::string& each : words_in(before.word))
        if (std::ranges::find(now, each) == now.end()) gone.push_back(each);
      return gone.empty() ? std::string() : "without " + joined(gone, ", ");
    }
    case ClaimWord::Kind::limit: {
      const std::int64_t old = backends::count_in(before.word).value_or(0);
      const std::int64_t now = backends::count_in(after.word).value_or(0);
      if (now == 0 || (old != 0 && now >= old)) return {};
      return "at most " + with_thousands(now) + ", before " +
             (old == 0 ? "without limit" : with_thousands(old));
    }
    case ClaimWord::Kind::flag:
      break;
  }
  return before.word == "yes" && after.word != "yes" ? "no longer" : std::string();
}

// How bad the states of a clause are, in the order of ClauseState; -1: the texts alone decide.
constexpr std::array badness{0, 1, 5, 2, 4, 3, -1, -1};

int badness_of(State state) {
  return badness[static_cast<std::size_t>(state)];
}

// Takes a change that is of no case.
using Tell = std::function<void(Kind kind, const std::string& words)>;

void compare_claims(const Claim& before, const Claim& after, const Tell& tell) {
  const auto old = backends::claim_words(before), now = backends::claim_words(after);
  for (std::size_t index = 0; index < old.size(); ++index)
    if (const std::string words = lost(old[index], now[index]); !words.empty())
      tell(claim, std::string(old[index].key) + " " + printable(words));
}

void compare_clauses(const Summary& before, const Summary& after, const Tell& tell) {
  const std::vector<ClauseRow> now = clause_rows(after);
  for (const ClauseRow& old : clause_rows(before)) {
    const auto found = std::ranges::find(now, old.id, &ClauseRow::id);
    const int was = badness_of(old.state);
    const int is = badness_of(found == now.end() ? State::not_exercised : found->state);
    if (was < 0 || is < 0 || was == is) continue;
    // What a run that was cut short did not ask is no better off.
    if (is < was && found != now.end() && found->state == State::proven_so_far) continue;
    const std::string words = found == now.end() ? "not asked about" : found->words;
    tell(is > was ? clause : better_clause,
         printable(old.id) + " " + printable(words) + "; before " + printable(old.words));
  }
}

void compare_plans(const Summary& before, const Summary& after, const Tell& tell) {
  using enum Summary::Conformance;
  const auto is_whole = [](const Summary& summary) {
    const auto conformance = summary.conformance();
    return conformance != incomplete && conformance != nothing_run && summary.incomplete().empty();
  };
  if (is_whole(before) && !is_whole(after)) tell(less_run, after.verdict_line());
  const RunHeader &old = before.header(), &now = after.header();
  const auto differs = [&](const std::string& what, const std::string& was, const std::string& is) {
    if (was != is) tell(plan, what + " " + printable(is) + ", before " + printable(was));
  };
  differs("certile", old.certile_version, now.certile_version);
  differs("tier", std::string(conformance::name(old.options.tier)),
          std::string(conformance::name(now.options.tier)));
  differs("seed", std::to_string(old.options.seed), std::to_string(now.options.seed));
  differs("planned", counted(old.planned, "case"), counted(now.planned, "case"));
  differs("filtered", old.filtered ? "yes" : "no", now.filtered ? "yes" : "no");
  const auto budget = [](const RunHeader& header) {
    return header.options.budget ? in_words(*header.options.budget) : std::string("none");
  };
  differs("budget", budget(old), budget(now));
  differs("asked", old.part(), now.part());
}

}  // namespace

void CaseVerdicts::add(const Record& record) {
  cases_[key_of(record)] = {record.now().verdict, !record.law.empty()};
}

void RunComparer::add(const Record& record) {
  const auto found = before_.cases_.find(key_of(record));
  const bool is_new = found == before_.cases_.end();
  const Verdict now = record.now().verdict;
  const Verdict old = is_new ? Verdict::pass : found->second.verdict;
  if (!is_new) found->second.was_seen_again = true;
  const auto add = [&](Kind kind, const char* more = "") {
    // The plainness of a case costs as much as reading it, so it is known only where the case may be shown.
    note(kind, told(record) + more, limit_ == 0 ? Plainness{} : plainness_of(record.literal));
  };
  if (is_failing(now) && !is_failing(old)) return add(failing, is_new ? "   (a new case)" : "");
  if (now == Verdict::waived && !is_failing(old) && old != Verdict::waived) return add(waived);
  if (is_new) return add(came);
  if (now == old) return;
  if (now == Verdict::not_run) return add(not_run);
  if (now == Verdict::unsupported) return add(unsupported);
  if (now == Verdict::pass) return add(passing);
}

Comparison RunComparer::close(const Summary& before, const Summary& after) {
  for (const auto& [key, seen] : before_.cases_)
    // A law has a record only where it is broken.
    if (!seen.was_seen_again) note(seen.is_law ? passing : went, printable(key), plainness_of(key));
  const Tell tell = [this](Kind kind, const std::string& words) {
    Plainness place;  // in the order of the calls
    place.axes = static_cast<std::size_t>(kinds_[kind].count);
    note(kind, words, place);
  };
  compare_claims(before.header().claim, after.header().claim, tell);
  compare_clauses(before, after, tell);
  compare_plans(before, after, tell);
  const auto named = [](const Claim& it) {
    return printable_name(it.name) + " " + printable_name(it.version);
  };
  Comparison comparison{named(before.header().claim) + " -> " + named(after.header().claim),
                        before.verdict_line(),
                        after.verdict_line(),
                        {}};
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    if (kinds_[kind].count == 0) continue;
    auto& changes = comparison.changes.emplace_back(kind_words[kind], kind < passing, kinds_[kind].count);
    for (const auto& [plainness, words] : kinds_[kind].shown)
      changes.shown.push_back(words);
  }
  return comparison;
}

void RunComparer::note(std::size_t kind, const std::string& words, const Plainness& plainness) {
  ++kinds_[kind].count;
  auto& shown = kinds_[kind].shown;
  shown.emplace(plainness, words);
  if (shown.size() > limit_) shown.erase(std::prev(shown.end()));
}

bool Comparison::is_worse() const noexcept {
  return std::ranges::any_of(changes, &Changes::is_worse);
}

Result<std::vector<Comparison>> compare_records(const std::string& before, const std::string& after,
                                                std::size_t limit) {
  std::vector<CaseVerdicts> cases;
  const auto earlier = read_runs(before, {[&cases](const RunHeader&) { cases.emplace_back(); },
                                          [&cases](const Record& record) { cases.back().add(record); }});
  if (!earlier) return earlier.error();
  TRY(const auto later, read_runs(after));
  const auto are_of_one_backend = [&](const Summary& one, const Summary& other) {
    return (earlier->size() == 1 && later.size() == 1) ||
           one.header().claim.name == other.header().claim.name;
  };
  for (const Summary& each : *earlier)
    if (std::ranges::none_of(later, [&](const Summary& run) { return are_of_one_backend(each, run); }))
      return Error{Error::Code::bad_literal, printable(after) + " has no run of " +
                                                 printable_name(each.header().claim.name) + ", and " +
                                                 printable(before) + " has one"};
  std::vector<Comparison> comparisons;
  std::optional<RunComparer> comparer;
  auto now = later.begin();
  auto old = earlier->end();
  const auto begin = [&](const RunHeader&) {
    comparer.reset();
    if (now == later.end()) return;
    old = std::ranges::find_if(*earlier, [&](const Summary& run) { return are_of_one_backend(run, *now); });
    if (old != earlier->end())
      comparer.emplace(cases[static_cast<std::size_t>(old - earlier->begin())], limit);
  };
  const auto add = [&](const Record& record) {
    if (comparer) comparer->add(record);
  };
  const auto close = [&](const RunFooter&, const RunFooter& real) -> Result<Done> {
    if (now == later.end() || now->records_digest() != real.run_digest)
      return Error{Error::Code::io, "the file was changed while it was read"};
    if (comparer) comparisons.push_back(comparer->close(*old, *now));
    ++now;
    return Done{};
  };
  if (const auto read = read_records(after, {begin, add, close}); !read) return read.error();
  return comparisons;
}

}  // namespace certile::conformance
