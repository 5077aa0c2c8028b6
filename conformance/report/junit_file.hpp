#pragma once
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Text passed to these is printable, because XML 1.0 forbids control characters even if escaped.
inline constexpr std::size_t bytes_of_junit_message = 300;

// A suite of a JUnit file, which counts its tests as they are added.
class JunitSuite {
 public:
  JunitSuite(pugi::xml_node node, const std::string& name, std::string class_prefix);

  void add_property(const char* name, const std::string& value);
  pugi::xml_node test(std::string_view group, const std::string& name);
  void fail(pugi::xml_node test, const std::string& type, const std::string& text);
  void error(pugi::xml_node test, const std::string& text);
  void skip(pugi::xml_node test, const std::string& message);

 private:
  void count(const char* key);

  pugi::xml_node node_, properties_;
  std::string class_prefix_;
};

class JunitFile {
 public:
  explicit JunitFile(const char* name);
  // Adds a suite, which is valid as long as the file.
  JunitSuite add_suite(const std::string& name, std::string class_prefix);
  Result<Done> write(const std::string& path) const;

 private:
  pugi::xml_document document_;
  pugi::xml_node suites_;
};

}  // namespace certile::conformance
