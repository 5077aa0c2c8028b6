#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/text/terminal.hpp"
#include "property_tests/search.hpp"

namespace certile::property_tests {

using enum conformance::ExitCode;

// The options of `certile-properties BACKEND`.
struct PropertiesOptions {
  std::string backend;                      // BACKEND
  std::vector<const Property*> properties;  // none: all
  std::vector<std::string> literals;        // examined instead of random cases
  SearchOptions search;
  conformance::IsolateOptions isolate;
  std::string corpus;  // where counterexamples are kept; empty: not kept
};

// Examines each property in turn.  The report goes to `out`, errors go to `error`.  Returns the exit code: 0
// every property holds, 1 one is broken, otherwise as certile's.
int properties_command(const PropertiesOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::property_tests
