#include <algorithm>

#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_word.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

std::string indented_lines(std::string_view lines) {
  std::string out;
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    out += "      " + std::string(lines.substr(start, end - start)) + "\n";
    start = end + 1;
  }
  return out;
}

std::string failure_text(const Record& record, std::size_t evidence_limit) {
  std::string text = std::string(name(record.now().verdict)) + "  " + printable_name(record.backend) + "  " +
                     printable(record.literal);
  if (record.now().fault != Fault::none) text += "   " + std::string(name(record.now().fault));
  if (!record.now().charged.empty()) {
    text += "   [" + printable(record.now().charged);
    if (const Clause* clause = find_clause(record.now().charged)) text += " " + clause->name;
    text += ']';
  }
  text += '\n';
  return text + indented_lines(shortened(printable_lines(record.now().words), evidence_limit));
}

std::string look_closer(const Record& record, const std::string& spelling, int passes) {
  // A command that passes would be of no use.
  if (passes > 0)
    return "      it failed in the run, and passed " + counted(passes, "time") + " when it was asked again\n";
  if (record.was_asked_again() && record.reproduce().empty())
    return "      no command is known that shows it again\n";
  const bool is_late = record.now().fault == Fault::timeout;
  return std::string(is_late ? "      if it is only slow, --time-limit SECONDS gives each call more time\n"
                             : "") +
         "      look closer: " + reproduce_command(record, spelling) + "\n";
}

std::string describe_failure(const Record& record, const std::string& spelling, std::size_t evidence_limit) {
  return failure_text(record, evidence_limit) + look_closer(record, spelling);
}

std::string reproduce_command(const Record& record, const std::string& spelling) {
  std::string command = "certile run " + quoted_for_shell(spelling);
  if (record.reproduce().empty()) return command + " '" + printable(record.literal) + "'";
  // A history may be long, so only its beginning and its end are shown; the records contain all of it.
  constexpr std::size_t shown_at_each_end = 3;
  const std::size_t count = record.reproduce().size();
  const bool is_cut = count > 2 * shown_at_each_end + 2;
  for (std::size_t index = 0; index < count; ++index) {
    if (is_cut && index == shown_at_each_end) {
      index = count - shown_at_each_end;
      command += " … " + std::to_string(index - shown_at_each_end) + " more …";
    }
    command += " '" + printable(record.reproduce()[index]) + "'";
  }
  if (is_cut) command += "   (" + std::to_string(count) + " cases, all of them in a file of --records)";
  return command;
}

}  // namespace certile::conformance
