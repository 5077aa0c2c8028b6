#include "conformance/waivers/waiver_book.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

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

namespace {

// Returns the first line of a record's words, with quotation marks that do not end a reason.
std::string reason_of(const Record& record) {
  std::string reason = printable(record.now().words.substr(0, record.now().words.find('\n')));
  std::ranges::replace(reason, '"', '\'');
  constexpr std::size_t longest = 100;
  if (reason.size() > longest) reason = shortened(reason, longest);
  return reason.empty() ? "unknown" : reason;
}

}  // namespace

void WaiverProposal::add(const Record& record) {
  const Finding& found = record.now();
  if (found.verdict != Verdict::fail) return;
  Group& group = groups_[{std::string(found.charged), record.type, found.fault}];
  Plainness plainness = plainness_of(record.literal);
  if (++group.cases > 1 && group.plainness <= plainness) return;
  group.plainness = std::move(plainness);
  group.plainest = record;
}

std::string WaiverProposal::text(const std::vector<Waiver>& kept,
                                 const std::chrono::year_month_day& until) const {
  std::string text =
      "# The failures that are accepted, until when, and their owners.  docs/waivers.md describes the "
      "form.\n";
  for (const Waiver& waiver : kept)
    text += to_string(waiver) + "\n";
  for (const auto& [key, group] : groups_) {
    Waiver waiver;
    if (group.cases == 1) {
      waiver.literal = group.plainest.literal;
    } else {
      waiver.clause = std::get<0>(key);
      text += "\n# " + std::to_string(group.cases) + " cases, the plainest: " + group.plainest.literal;
    }
    waiver.type = std::get<1>(key);
    waiver.fault = std::get<2>(key);
    waiver.reason = reason_of(group.plainest);
    waiver.owner = waiver.link = "?";
    waiver.until = until;
    text += "\n" + to_string(waiver) + "\n";
  }
  return text;
}

Result<Done> write_proposal(const std::string& path, const std::string& read, const std::string& text) {
  std::error_code none;
  if (path != read && std::filesystem::exists(path, none))
    return Error{Error::Code::io,
                 printable(path) + " exists; to overwrite it, name it with --waivers as well"};
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, none);
  return write_whole_file(path, text);
}

}  // namespace certile::conformance
