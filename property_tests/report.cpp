#include "property_tests/report.hpp"

#include "conformance/report/report.hpp"
#include "conformance/text/shell_words.hpp"

namespace certile::property_tests {
namespace {

bool can_be_asked(const std::string& literal) {
  return literal.size() <= longest_literal;
}

// Returns the oracles' view of the wrong answer, and the `certile run` command that shows it again, if there
// is one.
std::string wrong_answer(const conformance::Record& record, const std::string& spelling, bool alone) {
  const bool shows_again = alone ? can_be_asked(record.literal) : !record.reproduce().empty();
  if (shows_again) return conformance::describe_failure(record, spelling);
  return conformance::indented_lines(conformance::printable_lines(record.now().words));
}

}  // namespace

std::string literal_to_keep(const Counterexample& found) {
  const auto& record = found.examination.record;
  return record && can_be_asked(record->literal) ? record->literal : to_string(found.question);
}

void report(std::ostream& out, const std::string& backend, const std::string& spelling,
            const Property& property, const SearchResult& result) {
  if (!result.counterexample) {
    const bool is_examined = result.silent < result.cases;
    out << (is_examined ? "holds   " : "silent  ") << conformance::printable_name(backend) << "  "
        << property.name << "  " << conformance::counted(result.cases, "case");
    if (!is_examined) out << ", nothing examined: it applies to none of them";
    if (is_examined && result.silent > 0) out << ", " << result.silent << " of them say nothing to it";
    out << std::endl;
    return;
  }
  const Counterexample& found = *result.counterexample;
  const std::string literal = to_string(found.question);
  out << "BROKEN  " << conformance::printable_name(backend) << "  " << property.name << "  after "
      << conformance::counted(found.after, "case") << ", made simpler "
      << conformance::counted(found.shrinks, "time") << "\n      " << property.sentence << "\n      not for  "
      << literal << '\n';
  if (!found.examination.evidence.empty())
    out << conformance::indented_lines(conformance::printable_lines(found.examination.evidence));
  if (!found.alone) out << "      it holds for this case alone, and was broken after other cases\n";
  if (found.examination.record) out << wrong_answer(*found.examination.record, spelling, found.alone);
  if (!found.alone) return void(out << std::flush);
  out << "      again: certile-properties " << conformance::quoted_for_shell(spelling) << " --property "
      << property.name << " --case '" << literal << "'" << std::endl;
}

}  // namespace certile::property_tests
