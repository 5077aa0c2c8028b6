#include "conformance/cli/remarks.hpp"

#include <algorithm>

#include "conformance/text/printable.hpp"

namespace certile::conformance {

std::string remark_on_left_out(const std::map<std::string, std::int64_t>& left_out, const Summary& summary) {
  if (left_out.empty()) return {};
  std::int64_t all = 0;
  std::string reasons;
  for (const auto& [why, cases] : left_out) {
    all += cases;
    reasons += std::string(reasons.empty() ? "" : "; ") +
               (left_out.size() > 1 ? with_thousands(cases) + " of them" : std::string()) + ", because " +
               why;
  }
  return "not run: " + counted(all, "case") + " of " + printable_name(summary.header().claim.name) +
         (left_out.size() > 1 ? ": " : "") + reasons;
}

std::string remark_on_printing(std::uint64_t bytes, const Summary& summary) {
  constexpr std::int64_t much = 20'000;  // takes longer than most cases do
  const auto of_each = static_cast<std::int64_t>(bytes) / std::max<std::int64_t>(1, summary.recorded());
  if (of_each <= much) return {};
  return printable_name(summary.header().claim.name) + " printed " + with_thousands(of_each) +
         " bytes for each case; the run is faster if it prints less";
}

std::string remark_on_files(const WrittenPaths& written, const Summary& summary) {
  const std::string opened = written.in_words(false), refused = written.in_words(true);
  if (opened.empty() && refused.empty()) return {};
  return printable_name(summary.header().claim.name) +
         (opened.empty() ? "" : " wrote to files, on which no answer may depend: " + opened) +
         (opened.empty() || refused.empty() ? "" : ";") +
         (refused.empty() ? "" : " was not allowed to write to: " + refused);
}

}  // namespace certile::conformance
