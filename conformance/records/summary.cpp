#include "conformance/records/summary.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/judge/exercised.hpp"
#include "conformance/judge/roles.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

Summary::Summary(RunHeader header) : header_(std::move(header)) {}

const Summary::Shortcuts::Clause& Summary::clause(std::string_view id) {
  // An id keeps its address, so the address is a good hash.  The content is compared too.
  const auto address = reinterpret_cast<std::uintptr_t>(id.data());
  Shortcuts::Clause& slot =
      shortcuts_.clauses[((address >> 3) ^ (address >> 11)) % shortcuts_.clauses.size()];
  if (slot.id == nullptr || *slot.id != id) {
    auto& [key, tally] = *tallies_.try_emplace(std::string(id)).first;
    slot = {&key, &tally, proven_without_elements(id)};
  }
  return slot;
}

Summary::GroupTally& Summary::group(const Record& record) {
  const std::size_t index = static_cast<std::size_t>(record.definition) * element_type_count +
                            static_cast<std::size_t>(record.type);
  GroupTally*& tally = shortcuts_.groups[index];
  if (tally == nullptr) tally = &groups_[Group{record.definition, record.type}];
  return *tally;
}

void Summary::add(const Record& record) {
  const Finding& found = record.now();
  ++footer_.records;
  if (!record.law.empty()) ++beside_plan_;
  ++footer_.verdicts[static_cast<std::size_t>(found.verdict)];
  if (record.is_vacuous()) ++footer_.vacuous;

  using Count = std::int64_t GroupTally::*;
  static constexpr std::array<Count, verdict_count> counts{
      &GroupTally::pass, &GroupTally::fail,  &GroupTally::unsupported, &GroupTally::other,
      &GroupTally::fail, &GroupTally::other, &GroupTally::not_run};  // in the order of Verdict
  ++(group(record).*counts[static_cast<std::size_t>(found.verdict)]);

  bool charges_what_it_exercises = false;
  for (const std::string_view id : record.judged.exercised) {
    const Shortcuts::Clause& slot = clause(id);
    if (const auto count = bearing_of(record, id, true, slot.proven_without_elements)) ++(slot.tally->*count);
    charges_what_it_exercises = charges_what_it_exercises || id == found.charged;
  }
  const bool is_charged = found.verdict == Verdict::fail || found.verdict == Verdict::waived;
  if (is_charged && !charges_what_it_exercises)
    ++(tallies_[std::string(found.charged)].*bearing_of(record, found.charged, false, false));
  if (found.verdict == Verdict::not_run && record.judged.exercised.empty()) has_unknown_unasked_ = true;
  if (found.verdict == Verdict::fail) add_failure(record);
  // A stale waiver violates no clause, because its case passes.
  if (found.verdict == Verdict::stale_waiver)
    add_stale_waiver(record.literal + ": " + found.words.substr(0, found.words.find('\n')));
}

// Returns true if a failure charged to this clause does not break the level text.
bool Summary::is_beside_text(DefinitionId definition, std::string_view charged) const {
  if (const ClauseId id = clause_id(charged); id != ClauseId::none) return !counts_at_text(definition, id);
  const Clause* listed = header_.clause(charged);
  return listed != nullptr && !counts_at_text(listed->kind);
}

std::size_t size_of(const Record& record) noexcept {
  const Judgement& judged = record.judged;
  std::size_t size = record.literal.size() + record.backend.size() + record.law.size() + judged.words.size() +
                     judged.exercised.size() * sizeof(std::string_view);
  if (judged.output)
    size += judged.output->elements.size() + judged.output->unwritten.size() * sizeof(std::int64_t);
  for (const Amendment& amendment : record.amendments) {
    size += sizeof amendment + amendment.words.size();
    for (const std::string& literal : amendment.reproduce)
      size += sizeof literal + literal.size();
  }
  return size;
}

void Summary::add_failure(const Record& record) {
  const std::string charged(record.now().charged);
  if (is_beside_text(record.definition, charged)) ++failures_beside_text_;
  ClauseTally& tally = tallies_[charged];
  // A failure whose history no one knows passes when it is asked again, so it is shown last.
  const bool has_no_command = record.reproduce().empty();
  Plainness plainness = plainness_of(record.literal);
  ++failure_kinds_[charged][{record.now().fault, record.type, plainness.axes}];
  const bool is_first = tally.violated == 1;
  Plainest& plainest = plainest_[charged];
  const bool is_plainer =
      is_first || std::tie(has_no_command, plainness) < std::tie(plainest.has_no_command, plainest.plainness);
  const bool is_kept = failures_.size() < places_kept_;
  if (!is_kept && !is_plainer) return;

  std::size_t at = failures_.size();
  // After the failures that are kept, each clause has one place, for its plainest failure.
  if (!is_kept && !is_first && plainest.at >= places_kept_) {
    at = plainest.at;
    failures_[at] = record;
  } else {
    failures_.push_back(record);
    if (is_kept && (bytes_kept_ += size_of(record)) >= kept_bytes) places_kept_ = failures_.size();
  }
  if (!is_plainer) return;
  plainest = {has_no_command, std::move(plainness), at};
  tally.first_failure = record.literal;
}

void Summary::mark_incomplete(std::string why) {
  if (incomplete().empty()) footer_.incomplete = std::move(why);
}

void Summary::close(const RunFooter& footer) {
  RunFooter counted = std::exchange(footer_, footer);
  footer_.records = counted.records;
  footer_.verdicts = std::move(counted.verdicts);
  footer_.vacuous = counted.vacuous;
}

ClauseState Summary::state(const Clause& clause) const {
  const auto found = tallies_.find(clause.id);
  const bool lacks_records = has_unknown_unasked_ || recorded() - beside_plan_ < header_.to_ask();
  return state_of(clause, found == tallies_.end() ? ClauseTally{} : found->second, lacks_records);
}

std::vector<std::string_view> Summary::clauses_that_are(ClauseState state) const {
  std::vector<std::string_view> ids;
  for (const Clause* clause : clauses())
    if (this->state(*clause) == state) ids.push_back(clause->id);
  return ids;
}

namespace {

using Conformance = Summary::Conformance;

std::string_view word_for(Conformance conformance, Level level) {
  if (conformance == Conformance::text)
    conformance = level == Level::text ? Conformance::full : Conformance::none;
  constexpr std::array words{"CONFORMANT", "",        "NOT CONFORMANT",
                             "INCOMPLETE", "PARTIAL", "NOTHING RUN"};  // in the order of Conformance
  return words[static_cast<std::size_t>(conformance)];
}

std::vector<std::string> violated_clauses(const Summary& summary) {
  std::vector<std::string> ids;
  for (const auto& [id, tally] : summary.tallies()) {
    if (tally.violated > 0) ids.push_back(id);
  }
  return ids;
}

std::string what_is_missing(const Summary& summary) {
  const std::int64_t run = summary.recorded() - summary.beside_plan() - summary.count(Verdict::not_run);
  const std::int64_t planned = summary.header().to_ask();
  std::string text = with_thousands(run) + " of " + with_thousands(planned) + " planned cases were run";
  if (planned == 0 && run == 0) text = "no case was planned";
  if (run > 0 && run == planned)
    text = summary.count(Verdict::unsupported) == planned ? "the claim excludes every case"
                                                          : "no case could be judged";
  if (!summary.incomplete().empty()) text += ": " + printable(summary.incomplete());
  return text;
}

// Returns the verdict on a shard, which is never that on an implementation: "shard 2 of 7: no failure".
std::string words_for_shard(const Summary& summary, std::int64_t failed) {
  std::string word = "no failure";
  if (failed > 0)
    word = counted(failed, "failure");
  else if (const auto result = summary.conformance(); result != Conformance::partial)
    word = word_for(result, summary.header().level);
  return to_string(summary.header().shard->shard) + ": " + word;
}

bool is_cut_short(const Summary& summary) {
  const std::int64_t recorded = summary.recorded() - summary.beside_plan();
  return !summary.incomplete().empty() || summary.count(Verdict::not_run) > 0 ||
         (recorded != summary.header().to_ask() && !summary.header().ends_in_time());
}

// Returns "a budget of 1,000 cases: 1,000 of 384,662".  The number is that of the cases that have a record,
// because a time has no other.
std::string cut_by(const Summary& summary) {
  const RunHeader& header = summary.header();
  return "a budget of " + in_words(*header.options.budget) + ": " +
         with_thousands(summary.recorded() - summary.beside_plan()) + " of " +
         counted(header.before_budget.value_or(0), "case");
}

// Returns "asked: NAMES alone" if the user omitted a claimed definition, else nothing.
std::string asked_for(const Summary& summary) {
  const std::vector<DefinitionId> asked = summary.definitions();
  const auto& claimed = summary.header().claim.definitions;
  const bool all = std::ranges::all_of(claimed, [&asked](DefinitionId definition) {
    return std::ranges::find(asked, definition) != asked.end();
  });
  if (all) return {};
  if (asked.empty()) return "none of the claimed definitions was asked";
  return "asked: " + joined(names_of<DefinitionId>(asked), ", ") + " alone";
}

bool is_text_in_doubt(const Summary& summary) {
  return std::ranges::any_of(summary.in_doubt(), [&summary](std::string_view id) {
    const Clause::Kind kind = summary.header().clause(id)->kind;
    return kind == Clause::Kind::normative || kind == Clause::Kind::example;
  });
}

}  // namespace

Summary::Conformance Summary::conformance() const {
  const std::int64_t failed = failed_or_stale();
  // Refusals outside the claim and cases that the texts leave open do not count, because they cannot fail.
  const bool cut_short = is_cut_short(*this);
  if (count(Verdict::pass) + count(Verdict::waived) + failed == 0)
    return header_.shard && !cut_short ? Conformance::partial : Conformance::nothing_run;
  // The text level holds if only our own clauses fail, but cases that were not run may still break it.
  const bool text_broken = failed > failures_beside_text_;
  const bool level_broken = text_broken || (failed > 0 && header_.level == Level::full);
  if (cut_short || header_.filtered || header_.shard) {
    if (level_broken) return Conformance::none;
    return cut_short ? Conformance::incomplete : Conformance::partial;
  }
  if (text_broken || is_text_in_doubt(*this)) return Conformance::none;
  return failed > 0 ? Conformance::text : Conformance::full;
}

std::string Summary::verdict_line() const {
  const Conformance result = conformance();
  // A filtered or incomplete run does not exercise most clauses, and other notes say that it is one.
  const bool is_whole =
      !header_.filtered && !header_.shard && !is_cut_short(*this) && result != Conformance::nothing_run;
  std::vector<std::string> notes;
  if (result == Conformance::full) notes.emplace_back("full");
  if (result == Conformance::text && header_.level == Level::text) notes.emplace_back("text");
  if (result == Conformance::text && header_.level == Level::full)
    notes.emplace_back("the published text holds");
  if (result == Conformance::nothing_run || is_cut_short(*this)) notes.push_back(what_is_missing(*this));
  if (header_.shard)
    notes.push_back(with_thousands(header_.to_ask()) + " of " + counted(header_.planned, "case"));
  const bool is_chosen = !header_.options.clauses.empty();
  if (header_.options.budget) notes.push_back(cut_by(*this));
  if (header_.filtered && (!header_.options.budget || is_chosen)) notes.emplace_back("the plan was filtered");
  if (const auto violated = violated_clauses(*this); !violated.empty()) {
    notes.push_back("violated: " + listed(violated, 4));
  }
  if (const auto doubtful = in_doubt(); is_whole && !doubtful.empty())
    notes.push_back("in doubt: " + listed({doubtful.begin(), doubtful.end()}, 4));
  if (const std::int64_t waived = count(Verdict::waived); waived > 0) {
    notes.push_back(with_thousands(waived) + " waived");
  }
  if (!stale_waivers().empty())
    notes.push_back(counted(static_cast<std::int64_t>(stale_waivers().size()), "stale waiver"));
  if (auto asked = asked_for(*this); !asked.empty()) notes.push_back(std::move(asked));
  if (const auto limits = claim_limits(header_.claim, definitions()); !limits.empty()) {
    notes.push_back("claim: " + joined(limits, ", "));
  }
  if (const auto silent = not_exercised(); is_whole && !silent.empty()) {
    notes.push_back("not exercised: " + listed({silent.begin(), silent.end()}, 6));
  }
  std::string line = header_.shard ? words_for_shard(*this, failed_or_stale())
                                   : std::string(word_for(result, header_.level));
  if (!notes.empty()) line += " (" + joined(notes, "; ") + ")";
  return line;
}

int Summary::exit_code() const {
  const Conformance result = conformance();
  if (result == Conformance::nothing_run) return 5;
  const bool holds = result == Conformance::full || result == Conformance::partial ||
                     (result == Conformance::text && header_.level == Level::text);
  return holds ? 0 : 1;
}

}  // namespace certile::conformance
