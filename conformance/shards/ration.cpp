#include "conformance/shards/ration.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace certile::conformance {
namespace {

// Removes what was found by asking the failure again.  Returns false if a waiver was applied to that, because
// it might not apply without it.
bool forget_diagnosis(Record& record) {
  std::vector<Amendment> amendments = std::move(record.amendments);
  record.amendments.clear();
  record.annotate(Amendment::By::diagnosis, std::string(not_asked_again));
  if (amendments.size() == 1) return true;
  const Amendment &diagnosis = amendments.front(), &waived = amendments.back();
  const bool is_same = diagnosis.charged == record.judged.charged && diagnosis.fault == record.judged.fault;
  const std::string before = diagnosis.words + "\n";
  if (amendments.size() > 2 || !is_same || !waived.words.starts_with(before)) {
    record.amendments = std::move(amendments);
    return false;
  }
  record.annotate(waived.by, waived.words.substr(before.size()));
  record.amendments.back().verdict = waived.verdict;
  return true;
}

}  // namespace

Ration::Ration(bool shares_memory) : book_(shares_memory ? CrashBook::in_process : CrashBook::of_worker) {}

std::vector<Record*> Ration::settle(const std::vector<Record*>& failures) {
  struct Ranked {
    Plainness plainness;
    Placement placement;
    Record* record;
  };
  std::vector<Ranked> ranked;
  for (Record* record : failures)
    if (const auto question = parse_case(record->literal))
      ranked.push_back({plainness_of(*question, record->literal), question->placement, record});
  std::ranges::sort(ranked, {}, &Ranked::plainness);
  std::vector<Record*> changed;
  for (const Ranked& each : ranked) {
    Record& record = *each.record;
    // How often time-outs are asked again depends on the time.
    if (record.judged.fault == Fault::timeout) continue;
    const bool may_ask_again = book_.may_ask_again(record, each.placement, each.plainness);
    if (!record.was_asked_again()) continue;
    if (may_ask_again) {
      if (record.amendments.front().reproduce.size() != 1) book_.note_history();
    } else if (record.amendments.front().by == Amendment::By::diagnosis && forget_diagnosis(record)) {
      changed.push_back(&record);
    }
  }
  return changed;
}

}  // namespace certile::conformance
