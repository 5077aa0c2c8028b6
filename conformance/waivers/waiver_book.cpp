#include "conformance/waivers/waiver_book.hpp"

#include <utility>

namespace certile::conformance {

WaiverBook::WaiverBook(std::vector<Waiver> waivers, std::chrono::year_month_day today) : today_(today) {
  for (Waiver& waiver : waivers)
    entries_.push_back({std::move(waiver)});
}

bool WaiverBook::covers(const Waiver& waiver, const Record& record) {
  if (!waiver.literal.empty()) return waiver.literal == record.literal;
  return waiver.clause == record.now().charged && waiver.type == record.type;
}

bool WaiverBook::has_expired(const Waiver& waiver) const {
  return std::chrono::sys_days(waiver.until) < std::chrono::sys_days(today_);
}

void WaiverBook::apply(Record& record) {
  const Verdict verdict = record.now().verdict;
  if (verdict != Verdict::fail && verdict != Verdict::pass) return;
  std::string why_not;
  for (Entry& entry : entries_) {
    const Waiver& waiver = entry.waiver;
    if (verdict == Verdict::pass) {
      // A pass makes only a waiver of its case stale, because other cases may need a waiver of a clause.
      if (waiver.literal.empty() || waiver.literal != record.literal) continue;
      entry.reported = true;
      Finding stale{Verdict::stale_waiver};
      stale.words = "it passes, but is waived: " + describe(waiver);
      record.amendments.push_back({std::move(stale), Amendment::By::waiver});
      return;
    }
    if (!covers(waiver, record)) continue;
    if (waiver.fault != record.now().fault) {
      why_not = "waived only for the fault " + std::string(name(waiver.fault)) + ": " + describe(waiver);
    } else if (has_expired(waiver)) {
      why_not = "its waiver has expired: " + describe(waiver);
    } else {
      entry.used = true;
      record.annotate(Amendment::By::waiver, "waived: " + describe(waiver));
      record.amendments.back().verdict = Verdict::waived;
      return;
    }
  }
  if (!why_not.empty()) record.annotate(Amendment::By::waiver, why_not);
}

std::vector<std::string> WaiverBook::stale(bool whole) const {
  std::vector<std::string> sentences;
  for (const Entry& entry : entries_) {
    if (has_expired(entry.waiver)) {
      sentences.push_back("has expired: " + to_string(entry.waiver));
    } else if (whole && !entry.used && !entry.reported) {
      sentences.push_back("accepts no failure of this run: " + to_string(entry.waiver));
    }
  }
  return sentences;
}

std::vector<std::string> WaiverBook::literals() const {
  std::vector<std::string> literals;
  for (const Entry& entry : entries_)
    if (!entry.waiver.literal.empty()) literals.push_back(entry.waiver.literal);
  return literals;
}

std::vector<Waiver> WaiverBook::in_use() const {
  std::vector<Waiver> kept;
  for (const Entry& entry : entries_)
    if (entry.used) kept.push_back(entry.waiver);
  return kept;
}

}  // namespace certile::conformance
