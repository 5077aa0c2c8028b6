#include "conformance/waivers/proposal.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
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
