#include "conformance/cli/diff_command.hpp"

#include <algorithm>
#include <limits>

#include "conformance/records/comparison.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t shown_of_a_kind = 10;

void write_comparison(std::ostream& out, const Comparison& comparison) {
  out << comparison.name << '\n';
  out << "  before  " << comparison.before << '\n';
  out << "  after   " << comparison.after << '\n';
  for (const Comparison::Changes& changes : comparison.changes) {
    out << (changes.is_worse ? "WORSE  " : "       ") << changes.what << ": " << with_thousands(changes.count)
        << '\n';
    for (const std::string& words : changes.shown)
      out << "         " << words << '\n';
    const std::int64_t more = changes.count - static_cast<std::int64_t>(changes.shown.size());
    if (more > 0) out << "         and " << with_thousands(more) << " more, which --verbose shows\n";
  }
}

}  // namespace

int diff_command(const DiffOptions& options, std::ostream& out, std::ostream& error) {
  const std::size_t limit = options.verbose ? std::numeric_limits<std::size_t>::max() : shown_of_a_kind;
  const auto comparisons = compare_records(options.before, options.after, limit);
  if (!comparisons) {
    error << "certile: " << comparisons.error().what << std::endl;
    return exit_bad_command;
  }
  for (const Comparison& comparison : *comparisons)
    write_comparison(out, comparison);
  const bool is_worse = std::ranges::any_of(*comparisons, &Comparison::is_worse);
  const bool is_same =
      std::ranges::all_of(*comparisons, [](const Comparison& each) { return each.changes.empty(); });
  out << (is_worse ? "WORSE" : is_same ? "THE SAME" : "NOT WORSE") << '\n';
  return is_worse ? exit_not_conformant : exit_conformant;
}

}  // namespace certile::conformance
