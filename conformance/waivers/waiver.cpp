#include "conformance/waivers/waiver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

#include "conformance/text/digest.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

namespace {

constexpr std::size_t longest_complaint = 400;

Error bad(std::string why) {
  return Error{Error::Code::bad_literal, std::move(why)};
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// A scanner that takes words from the front of a line.
class Scanner {
 public:
  explicit Scanner(std::string_view line) : rest_(trimmed(line)) {}

  bool begins_with(char mark) const { return !rest_.empty() && rest_.front() == mark; }

  std::string_view word() {
    const auto end = std::min(rest_.find_first_of(" \t"), rest_.size());
    return take(0, end, end);
  }

  // Returns the text between two such marks, or nothing if they are missing.
  std::optional<std::string_view> between(char mark) {
    if (!begins_with(mark)) return std::nullopt;
    const auto end = rest_.find(mark, 1);
    if (end == rest_.npos) return std::nullopt;
    return take(1, end, end + 1);
  }

  // Returns the text after `key`, up to `next` or the end, or nothing if the key is missing.
  std::optional<std::string_view> field(std::string_view key, std::string_view next) {
    if (!rest_.starts_with(key)) return std::nullopt;
    const auto end = next.empty() ? rest_.size() : std::min(rest_.find(next, key.size()), rest_.size());
    return trimmed(take(key.size(), end, end));
  }

 private:
  std::string_view take(std::size_t begin, std::size_t end, std::size_t behind) {
    const std::string_view taken = rest_.substr(begin, end - begin);
    rest_ = trimmed(rest_.substr(behind));
    return taken;
  }

  std::string_view rest_;
};

std::optional<int> number(std::string_view digits) {
  int value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::chrono::year_month_day> date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = number(text.substr(0, 4)), month = number(text.substr(5, 2)),
             day = number(text.substr(8));
  if (!year || !month || !day || *month < 0 || *day < 0) return std::nullopt;
  const std::chrono::year_month_day read{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  return read.ok() ? std::optional(read) : std::nullopt;
}

Result<Done> read_subject(Scanner& scanner, Waiver& waiver) {
  if (scanner.begins_with('\'')) {
    const auto literal = scanner.between('\'');
    if (!literal) return bad("a literal ends with '");
    const auto question = parse_case(*literal);
    if (!question)
      return bad("'" + std::string(*literal) + "': " + with_caret(question.error().what, *literal));
    waiver.literal = to_string(*question);
    if (waiver.literal != *literal) return bad("certile spells this case '" + waiver.literal + "'");
    return Done{};
  }
  waiver.clause = scanner.word();
  const Clause* clause = find_clause(waiver.clause);
  if (clause == nullptr)
    return bad("'" + waiver.clause + "' is neither a clause nor a literal between ' and '");
  if (!clause->testable)
    return bad("no failure is charged to " + waiver.clause + ": " + clause->untestable_because);
  const std::string type(scanner.word());
  const auto known = element_type_named(type);
  if (!known) return bad("'" + type + "' is not an element type");
  waiver.type = *known;
  return Done{};
}

Result<std::string> filled_in(const std::optional<std::string_view>& field, const char* what) {
  if (!field || field->empty()) return bad(std::string(what) + " is missing");
  if (*field == "?") return bad(std::string(what) + " must be filled in instead of the ?");
  return std::string(*field);
}

Result<Waiver> parse_line(std::string_view line) {
  Waiver waiver;
  Scanner scanner(line);
  if (auto done = read_subject(scanner, waiver); !done) return done.error();
  const std::string fault(scanner.word());
  const auto known = fault_named(fault);
  if (!known || *known == Fault::none) return bad("'" + fault + "' is not a fault");
  waiver.fault = *known;
  TRY(auto reason, filled_in(scanner.between('"'), "the reason, between \" and \","));
  TRY(auto owner, filled_in(scanner.field("owner:", " link:"), "owner:"));
  TRY(auto link, filled_in(scanner.field("link:", " until:"), "link: (an address, or none)"));
  const auto until = filled_in(scanner.field("until:", {}), "until:");
  if (!until) return until.error();
  const auto day = date(*until);
  if (!day) return bad("'" + *until + "' is not a date such as 2027-01-31");
  waiver.reason = std::move(reason);
  waiver.owner = std::move(owner);
  waiver.link = std::move(link);
  waiver.until = *day;
  return waiver;
}

std::string subject_of(const Waiver& waiver) {
  if (!waiver.literal.empty()) return "'" + waiver.literal + "'";
  return waiver.clause + " " + std::string(name(waiver.type));
}

}  // namespace

Result<std::vector<Waiver>> parse_waivers(const std::string& text, const std::string& named) {
  std::vector<Waiver> waivers;
  std::set<std::string> subjects;
  std::istringstream lines(text);
  int line_number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++line_number;
    const auto wrong = [&](const std::string& why) {
      return bad(printable(named) + ":" + std::to_string(line_number) + ": " +
                 shortened(printable(why), longest_complaint));
    };
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    auto waiver = parse_line(content);
    if (!waiver) return wrong(waiver.error().what);
    if (!subjects.insert(subject_of(*waiver) + " " + std::string(name(waiver->fault))).second)
      return wrong("an earlier line waives the same failure");
    waivers.push_back(*std::move(waiver));
  }
  return waivers;
}

std::string date_text(const std::chrono::year_month_day& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string to_string(const Waiver& waiver) {
  return fmt::format("{} {} \"{}\" owner: {} link: {} until: {}", subject_of(waiver), name(waiver.fault),
                     waiver.reason, waiver.owner, waiver.link, date_text(waiver.until));
}

std::string describe(const Waiver& waiver) {
  return fmt::format("{} ({}, {}, until {})", waiver.reason, waiver.owner, waiver.link,
                     date_text(waiver.until));
}

namespace {

namespace files = std::filesystem;
constexpr std::string_view ending = ".waivers";

Error unreadable(const std::string& path) {
  return Error{Error::Code::io, "cannot read the waivers in " + printable(path)};
}

Result<WaiverFile> read_file(const std::string& path, const std::atomic<bool>* interrupted) {
  const auto text = read_text(path, "the waivers in", interrupted);
  if (!text) return Error{text.error().code, printable(text.error().what)};
  TRY(auto waivers, parse_waivers(*text, path));
  return WaiverFile{path, sha256_hex(*text), std::move(waivers)};
}

// Returns a file name for a backend.  Other characters than letters, digits, -, _ and . are replaced, so that
// a backend cannot choose a file in another folder by its name.
std::string file_name_of(const std::string& backend) {
  std::string name = backend;
  const auto is_plain = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
           each == '-' || each == '_' || each == '.';
  };
  std::ranges::replace_if(
      name, [&](char each) { return !is_plain(each); }, '_');
  return name + std::string(ending);
}

}  // namespace

std::string waivers_path(const std::string& path, const std::string& backend) {
  std::error_code none;
  if (!path.ends_with('/') && !files::is_directory(path, none)) return path;
  return (files::path(path) / file_name_of(backend)).string();
}

Result<WaiverFile> read_waivers(const std::string& path, const std::string& backend,
                                const std::atomic<bool>* interrupted) {
  std::error_code none;
  const std::string file = waivers_path(path, backend);
  if (file != path && !files::exists(file, none)) return WaiverFile{};
  return read_file(file, interrupted);
}

std::vector<std::string> waiver_files(const std::string& path) {
  std::error_code failed;
  if (!files::is_directory(path, failed))
    return path.empty() ? std::vector<std::string>() : std::vector{path};
  std::vector<std::string> found;
  for (const auto& entry : files::directory_iterator(path, failed))
    if (entry.path().extension() == ending) found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

Result<Done> check_waivers(const std::string& path, const std::atomic<bool>* interrupted) {
  std::error_code failed;
  if (files::is_directory(path, failed)) {
    const files::directory_iterator entries(path, failed);
    if (failed) return unreadable(path);
  }
  for (const std::string& file : waiver_files(path))
    if (const auto read = read_file(file, interrupted); !read) return read.error();
  return Done{};
}

}  // namespace certile::conformance
