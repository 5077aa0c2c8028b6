#include "conformance/report/junit_file.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

namespace {

void set(pugi::xml_node node, const char* key, const std::string& value) {
  node.append_attribute(key).set_value(value.c_str());
}

// Adds the text as message and as body, because some viewers show only the body.
void annotate(pugi::xml_node test, const char* element, const std::string& type, const std::string& text) {
  pugi::xml_node node = test.append_child(element);
  set(node, "type", type);
  set(node, "message", shortened(text.substr(0, text.find('\n')), bytes_of_junit_message));
  node.append_child(pugi::node_pcdata).set_value(text.c_str());
}

}  // namespace

JunitSuite::JunitSuite(pugi::xml_node node, const std::string& name, std::string class_prefix)
    : node_(node), class_prefix_(std::move(class_prefix)) {
  set(node_, "name", name);
  for (const char* key : {"tests", "failures", "errors", "skipped"})
    set(node_, key, "0");
}

void JunitSuite::count(const char* key) {
  pugi::xml_attribute counter = node_.attribute(key);
  counter.set_value(counter.as_llong() + 1);
}

void JunitSuite::add_property(const char* name, const std::string& value) {
  if (!properties_) properties_ = node_.append_child("properties");
  pugi::xml_node property = properties_.append_child("property");
  set(property, "name", name);
  set(property, "value", printable(value));
}

pugi::xml_node JunitSuite::test(std::string_view group, const std::string& name) {
  count("tests");
  pugi::xml_node test = node_.append_child("testcase");
  set(test, "name", name);
  set(test, "classname", class_prefix_ + "." + std::string(group));
  return test;
}

void JunitSuite::fail(pugi::xml_node test, const std::string& type, const std::string& text) {
  count("failures");
  annotate(test, "failure", type, text);
}

void JunitSuite::error(pugi::xml_node test, const std::string& text) {
  count("errors");
  annotate(test, "error", "incomplete", text);
}

void JunitSuite::skip(pugi::xml_node test, const std::string& message) {
  count("skipped");
  set(test.append_child("skipped"), "message", message);
}

JunitFile::JunitFile(const char* name) {
  // By default pugixml silently omits a node for which there is no memory; these functions throw.
  pugi::set_memory_management_functions([](std::size_t size) { return ::operator new(size); },
                                        [](void* memory) { ::operator delete(memory); });
  pugi::xml_node declaration = document_.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  suites_ = document_.append_child("testsuites");
  set(suites_, "name", name);
}

JunitSuite JunitFile::add_suite(const std::string& name, std::string class_prefix) {
  return {suites_.append_child("testsuite"), name, std::move(class_prefix)};
}

Result<Done> JunitFile::write(const std::string& path) const {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // because a stream without memory silently cuts the text
  document_.save(text, "  ");
  return write_whole_file(path, text.str());
}

namespace {

// The limits keep files below 30 MB, above which viewers refuse them; escaping makes a byte up to six.
constexpr std::size_t bytes_of_failures = std::size_t{3} << 20;  // in the whole file, before escaping

// Returns the first part of the class names of the run's tests.
std::string class_prefix(const Summary& summary) {
  return "certile." + printable_name(summary.header().claim.name);
}

std::string suite_name(const Summary& summary) {
  return printable_name(summary.header().claim.name) + " " + printable_name(summary.header().claim.version);
}

void add_properties(JunitSuite& suite, const Summary& summary) {
  const auto add = [&suite](const char* name, const std::string& value) { suite.add_property(name, value); };
  const RunHeader& header = summary.header();
  add("certile", header.certile_version);
  add("backend", header.spelling);
  add("backend sha256", header.backend_digest);
  add("verdict", summary.verdict_line());
  add("level", std::string(name(header.level)));
  add("tier", std::string(name(header.options.tier)));
  add("seed", std::to_string(header.options.seed));
  add("plan sha256", header.plan_digest);
  add("planned", std::to_string(header.planned));
  add("operators", joined(names_of<DefinitionId>(header.claim.definitions), " "));
  add("types", joined(names_of<ElementType>(header.claim.types), " "));
  add("repeats types", joined(names_of<ElementType>(header.claim.repeats_types), " "));
  add("limits", size_limits_text(header.claim));
  for (int index = 0; index < verdict_count; ++index) {
    const auto verdict = static_cast<Verdict>(index);
    add(std::string(name(verdict)).c_str(), std::to_string(summary.count(verdict)));
  }
  add("vacuous", std::to_string(summary.vacuous()));
  add("clauses", clauses_proven(clause_rows(summary)));
  for (const std::string& layer : header.isolation)
    add("isolation", layer);
}

// Adds the verdict as a test, so that a run that proves nothing is not green, whatever its cases' results.
void add_verdict(JunitSuite& suite, const Summary& summary) {
  pugi::xml_node test = suite.test("verdict", "conformance");
  const auto conformance = summary.conformance();
  const bool is_unfinished =
      conformance == Summary::Conformance::incomplete || conformance == Summary::Conformance::nothing_run;
  if (is_unfinished) {
    suite.error(test, summary.verdict_line());
  } else if (summary.exit_code() != 0) {
    suite.fail(test, "verdict", summary.verdict_line());
  }
}

void add_stale_waivers(JunitSuite& suite, const Summary& summary) {
  if (summary.stale_waivers().empty()) return;
  std::string text;
  for (const std::string& sentence : summary.stale_waivers())
    text += printable(sentence) + "\n";
  suite.fail(suite.test("waivers", "every waiver is needed"), "stale-waiver", text);
}

void add_groups(JunitSuite& suite, const Summary& summary) {
  const auto& claimed = summary.header().claim.definitions;
  for (const auto& [group, tally] : summary.groups()) {
    const bool is_beside_claim = std::ranges::find(claimed, group.definition) == claimed.end();
    if (is_beside_claim && tally.fail == 0 && tally.not_run == 0) continue;
    pugi::xml_node test = suite.test(name(group.definition), std::string(name(group.type)));
    const std::string passed = with_thousands(tally.pass) + " pass, ";
    if (tally.fail > 0) {
      suite.fail(test, "cases",
                 with_thousands(tally.fail) + " fail, " + passed + "at most 1,000 cases follow");
    } else if (tally.pass == 0 || tally.not_run > 0) {
      suite.skip(test, passed + with_thousands(tally.unsupported) + " unsupported, " +
                           with_thousands(tally.not_run) + " not run, " + with_thousands(tally.other) +
                           " waived or inconclusive");
    }
  }
}

void add_failures(JunitSuite& suite, const Summary& summary, std::size_t& bytes_left) {
  std::size_t listed = 0;
  for (const Record& record : summary.failures()) {
    if (listed == Summary::kept_failures) break;
    const std::string literal = printable(record.literal);
    const std::string text = describe_failure(record, summary.header().spelling, bytes_of_evidence);
    const std::size_t bytes = literal.size() + text.size() + bytes_of_junit_message;
    if (bytes > bytes_left) break;
    bytes_left -= bytes;
    ++listed;
    pugi::xml_node test = suite.test(name(record.definition), literal);
    suite.fail(test, std::string(name(record.now().fault)), text);
  }
}

}  // namespace

Result<Done> write_junit(const std::string& path, const std::vector<const Summary*>& summaries) {
  JunitFile file("certile");
  std::size_t bytes_left = bytes_of_failures;
  for (const Summary* summary : summaries) {
    JunitSuite suite = file.add_suite(suite_name(*summary), class_prefix(*summary));
    add_properties(suite, *summary);
    add_verdict(suite, *summary);
    add_stale_waivers(suite, *summary);
    add_groups(suite, *summary);
    add_failures(suite, *summary, bytes_left);
  }
  return file.write(path);
}

}  // namespace certile::conformance
