#include "conformance/records/summary.hpp"

#include <algorithm>
#include <utility>

#include "conformance/judge/exercised.hpp"
#include "conformance/judge/levels.hpp"

namespace certile {
namespace {

bool is_beside_text(const Record& record) {
  const ClauseId charged = clause_id(record.violated);
  return charged != ClauseId::none && !counts_at_text(record.definition, charged);
}

bool is_about_elements(Fault fault) {
  return fault == Fault::elements || fault == Fault::aliased;
}

bool was_judged(Verdict verdict) {
  return verdict != Verdict::unsupported && verdict != Verdict::not_run;
}

}  // namespace

std::string_view name(Level level) noexcept {
  return level == Level::full ? "full" : "text";
}

Summary::Summary(RunHeader header) : header_(std::move(header)) {}

const Summary::Shortcuts::Clause& Summary::clause(std::string_view id) {
  // An id lives as long as the program, so its address is a good hash; that the content agrees is checked all
  // the same.
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
  ++recorded_;
  if (!record.law.empty()) ++beside_plan_;
  ++verdicts_[static_cast<std::size_t>(record.verdict)];
  if (record.verdict == Verdict::pass && record.vacuous) ++vacuous_;

  GroupTally& tally = group(record);
  switch (record.verdict) {
    case Verdict::pass:
      ++tally.pass;
      break;
    case Verdict::fail:
    case Verdict::stale_waiver:
      ++tally.fail;
      break;
    case Verdict::unsupported:
      ++tally.unsupported;
      break;
    case Verdict::not_run:
      ++tally.not_run;
      break;
    case Verdict::waived:
    case Verdict::inconclusive:
      ++tally.other;
      break;
  }

  if (was_judged(record.verdict)) {
    for (const std::string_view id : record.exercised) {
      const Shortcuts::Clause& found = clause(id);
      ++found.tally->exercised;
      // A pass without elements could not have failed on content, so it proves what does not speak of
      // content.
      const bool proves =
          record.verdict == Verdict::pass && (!record.vacuous || found.proven_without_elements);
      if (proves) ++found.tally->proven;
      // Wrong elements of the right shape put no clause in doubt that speaks of shapes.
      const bool is_right_so_far = is_about_elements(record.fault) && found.proven_without_elements;
      if (record.verdict == Verdict::fail && !is_right_so_far) ++found.tally->failed;
    }
  }
  if (record.verdict == Verdict::waived) ++tallies_[record.violated].waived;
  if (record.verdict == Verdict::fail) add_failure(record);
  // Nothing is wrong with the clauses of a case that passes.
  if (record.verdict == Verdict::stale_waiver)
    add_stale_waiver(record.case_literal + ": " +
                     record.explanation.substr(0, record.explanation.find('\n')));
}

void Summary::add_failure(const Record& record) {
  if (is_beside_text(record)) ++failures_beside_text_;
  ClauseTally& tally = tallies_[record.violated];
  ++tally.violated;

  Plainness plainness = plainness_of(record.case_literal);
  const bool is_first = tally.violated == 1;
  Plainest& plainest = plainest_[record.violated];
  const bool is_plainer = is_first || plainness < plainest.plainness;
  const bool is_kept = failures_.size() < kept_failures;
  if (!is_kept && !is_plainer) return;

  std::size_t at = failures_.size();
  // Beyond those kept in any case there is one place for each clause.
  if (!is_kept && !is_first && plainest.at >= kept_failures) {
    at = plainest.at;
    failures_[at] = record;
  } else {
    failures_.push_back(record);
  }
  if (!is_plainer) return;
  plainest = {std::move(plainness), at};
  tally.first_failure = record.case_literal;
}

void Summary::mark_incomplete(std::string why) {
  if (incomplete_.empty()) incomplete_ = std::move(why);
}

std::int64_t Summary::count(Verdict verdict) const noexcept {
  return verdicts_[static_cast<std::size_t>(verdict)];
}

std::vector<DefinitionId> Summary::definitions() const {
  std::vector<DefinitionId> both;
  for (const DefinitionId definition : all_definitions()) {
    const auto among = [definition](const std::vector<DefinitionId>& list) {
      return std::ranges::find(list, definition) != list.end();
    };
    if (among(header_.claim.definitions) && among(header_.options.definitions)) both.push_back(definition);
  }
  return both;
}

std::vector<const Clause*> Summary::clauses() const {
  std::vector<const Clause*> all;
  const auto append = [&all](const Page& page) {
    for (const Clause& clause : page.clauses)
      all.push_back(&clause);
  };
  for (const DefinitionId definition : definitions())
    append(page_of(definition));
  append(contract_page());
  return all;
}

std::vector<std::string_view> Summary::not_exercised() const {
  std::vector<std::string_view> ids;
  for (const Clause* clause : clauses()) {
    const auto found = tallies_.find(clause->id);
    const bool silent = found == tallies_.end() || found->second.is_silent();
    if (clause->testable && silent) ids.push_back(clause->id);
  }
  return ids;
}

std::vector<std::string_view> Summary::in_doubt() const {
  std::vector<std::string_view> ids;
  for (const Clause* clause : clauses()) {
    const auto found = tallies_.find(clause->id);
    if (clause->testable && found != tallies_.end() && found->second.is_in_doubt()) ids.push_back(clause->id);
  }
  return ids;
}

}  // namespace certile
