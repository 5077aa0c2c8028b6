#include "conformance/cli/remarks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

bool is_first_verdict() {
  namespace files = std::filesystem;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return files::path(value == nullptr ? "" : value);
  };
  const files::path state = variable("XDG_STATE_HOME"), home = variable("HOME");
  if (state.empty() && home.empty()) return false;
  const files::path folder = (state.empty() ? home / ".local/state" : state) / "certile";
  std::error_code failed;
  if (files::exists(folder / "legend-shown", failed)) return false;
  files::create_directories(folder, failed);
  return static_cast<bool>(write_whole_file((folder / "legend-shown").string(), ""));
}

Progress::Progress(const std::string& backend, std::int64_t planned)
    : backend_(printable(backend)),
      planned_(planned),
      terminal_(is_terminal(STDERR_FILENO)),
      interval_(terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10)),
      next_(std::chrono::steady_clock::now() + interval_) {}

Progress::~Progress() {
  clear();
}

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

void Progress::add(const Record& record) {
  ++seen_;
  if (record.now().verdict != Verdict::not_run) ++run_;
  if (record.now().verdict == Verdict::fail) {
    ++failed_;
    Plainness plainness = plainness_of(record.literal);
    if (!plainest_ || plainness < *plainest_) {
      plainest_ = std::move(plainness);
      clause_ = printable(record.now().charged);
    }
  }
  constexpr std::int64_t cases_between_looks = 64;
  if (seen_ % cases_between_looks != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  const std::string plainest =
      terminal_ || !plainest_ ? ""
                              : fmt::format(", plainest {} [{}]", printable(plainest_->literal), clause_);
  fmt::print(stderr, "{}{}: {} of {} cases run, {} failed{}{}", terminal_ ? "\r\033[K" : "", backend_, run_,
             planned_, failed_, plainest, terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = terminal_;
}

std::vector<std::string> remarks_on(const Summary& summary, const LeftOut& left_out, std::uint64_t printed,
                                    const WrittenPaths& written) {
  std::vector<std::string> remarks;
  const std::string name = printable_name(summary.header().claim.name);
  std::int64_t all = 0;
  std::string reasons;
  for (const auto& [why, cases] : left_out) {
    all += cases;
    reasons += std::string(reasons.empty() ? "" : "; ") +
               (left_out.size() > 1 ? with_thousands(cases) + " of them" : std::string()) + ", because " +
               why;
  }
  if (all > 0)
    remarks.push_back("not run: " + counted(all, "case") + " of " + name + (left_out.size() > 1 ? ": " : "") +
                      reasons);
  constexpr std::int64_t much = 20'000;  // takes longer than most cases do
  const auto of_each = static_cast<std::int64_t>(printed) / std::max<std::int64_t>(1, summary.recorded());
  if (of_each > much)
    remarks.push_back(name + " printed " + with_thousands(of_each) +
                      " bytes for each case; the run is faster if it prints less");
  const std::string opened = written.in_words(false), refused = written.in_words(true);
  if (!opened.empty() || !refused.empty())
    remarks.push_back(name +
                      (opened.empty() ? "" : " wrote to files, on which no answer may depend: " + opened) +
                      (opened.empty() || refused.empty() ? "" : ";") +
                      (refused.empty() ? "" : " was not allowed to write to: " + refused));
  return remarks;
}

}  // namespace certile::conformance
