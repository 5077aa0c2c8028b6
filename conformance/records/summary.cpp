#include "conformance/records/summary.hpp"

#include <tuple>
#include <utility>

#include "conformance/judge/exercised.hpp"
#include "conformance/judge/levels.hpp"

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
  ++recorded_;
  if (!record.law.empty()) ++beside_plan_;
  ++verdicts_[static_cast<std::size_t>(found.verdict)];
  if (record.is_vacuous()) ++vacuous_;

  GroupTally& tally = group(record);
  switch (found.verdict) {
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

  bool charges_what_it_exercises = false;
  for (const std::string_view id : record.judged.exercised) {
    const Shortcuts::Clause& slot = clause(id);
    slot.tally->add(bearing_of(record, id, true, slot.proven_without_elements));
    charges_what_it_exercises = charges_what_it_exercises || id == found.charged;
  }
  const bool is_charged = found.verdict == Verdict::fail || found.verdict == Verdict::waived;
  if (is_charged && !charges_what_it_exercises)
    tallies_[std::string(found.charged)].add(bearing_of(record, found.charged, false, false));
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
  if (incomplete_.empty()) incomplete_ = std::move(why);
}

std::int64_t Summary::count(Verdict verdict) const noexcept {
  return verdicts_[static_cast<std::size_t>(verdict)];
}

void Summary::close(const RunFooter& footer) {
  laws_ = footer.laws;
  stale_waivers_ = footer.stale_waivers;
  incomplete_ = footer.incomplete;
  of_shard_ = footer.of_shard;
  loaded_ = footer.loaded;
}

ClauseState Summary::state(const Clause& clause) const {
  const auto found = tallies_.find(clause.id);
  const bool lacks_records = has_unknown_unasked_ || recorded_ - beside_plan_ < header_.to_ask();
  return state_of(clause, found == tallies_.end() ? ClauseTally{} : found->second, lacks_records);
}

std::vector<std::string_view> Summary::clauses_that_are(ClauseState state) const {
  std::vector<std::string_view> ids;
  for (const Clause* clause : clauses())
    if (this->state(*clause) == state) ids.push_back(clause->id);
  return ids;
}

}  // namespace certile::conformance
