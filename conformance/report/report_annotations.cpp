#include "conformance/records/clause_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t annotation_limit = 10;  // what GitHub shows of a step
constexpr std::size_t bytes_of_annotation = 1024;

// Returns the text as the value of a workflow command, which ends at a newline.
std::string command_text(std::string_view text, std::string_view also_escaped) {
  std::string escaped;
  for (const char character : text) {
    if (character == '%' || character == '\r' || character == '\n' ||
        also_escaped.find(character) != std::string_view::npos) {
      constexpr std::string_view digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(character);
      escaped += {'%', digits[byte >> 4U], digits[byte & 15U]};
    } else {
      escaped += character;
    }
  }
  return escaped;
}

// Returns one line: the clause in the title, and its plainest failure in the text.
std::string annotation(const std::string& backend, const FailureGroup& group, const std::string& spelling) {
  const std::string text = describe_failure(*group.shown.front(), spelling, bytes_of_annotation);
  return "::error title=" + command_text(backend + ": " + heading(group), ":,") +
         "::" + command_text(text.substr(0, text.find_last_not_of('\n') + 1), "") + "\n";
}

}  // namespace

Result<Done> write_annotations(const std::string& path, const std::vector<const Summary*>& summaries) {
  std::string lines;
  std::size_t count = 0;
  for (const Summary* summary : summaries) {
    const std::string backend = printable_name(summary->header().claim.name);
    for (const FailureGroup& group : failures_by_clause(*summary, 1)) {
      if (count++ == annotation_limit) return write_whole_file(path, lines);
      lines += annotation(backend, group, summary->header().spelling);
    }
  }
  return write_whole_file(path, lines);
}

}  // namespace certile::conformance
