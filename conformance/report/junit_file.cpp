#include "conformance/report/junit_file.hpp"

#include <sstream>
#include <utility>

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

}  // namespace certile::conformance
