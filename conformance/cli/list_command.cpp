#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "backends/registry/registry.hpp"
#include "backends/worker/adapters.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/explain/explanation.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/element_type.hpp"

namespace certile::conformance {

namespace {

void list_operators(std::ostream& out) {
  out << "operators\n";
  for (const DefinitionId definition : all_definitions()) {
    const auto& clauses = page_of(definition).clauses;
    const auto testable =
        std::count_if(clauses.begin(), clauses.end(), [](const Clause& each) { return each.testable; });
    out << fmt::format("  {:16} {} clauses, {} of them testable\n", name(definition), clauses.size(),
                       testable);
  }
  out << fmt::format("  {:16} {} clauses that every operator shares\n", "contract",
                     contract_page().clauses.size());
}

void list_types(std::ostream& out) {
  out << "element types\n ";
  for (const ElementType type : all_element_types())
    out << ' ' << name(type);
  out << '\n';
}

}  // namespace

void list_command(std::ostream& out, bool names_only, bool is_installed) {
  if (names_only) {
    for (const backends::BuiltIn& each : backends::built_in_backends())
      if (each.unavailable().empty()) out << each.name << '\n';
    return;
  }
  out << "backends\n";
  for (const backends::BuiltIn& each : backends::built_in_backends())
    out << fmt::format("  {:16} {}\n", each.name,
                       each.unavailable().empty() ? each.summary : each.unavailable());
  out << fmt::format("  {:16} {}\n", "built-in",
                     "each of these; the slow ones in the tier smoke, unless you name a tier");
  out << fmt::format("  {:16} {}\n", "./PATH.so", "any shared library with the symbol certile_plugin_open");
  out << fmt::format("  {:16} {}\n", "./PROGRAM", "a program that links certile's runner");
  out << fmt::format("  {:16} {}\n", "worker:COMMAND", "a process that speaks the worker protocol");
  out << (is_installed ? "runtimes, where Python has them, or certile environments make NAME was run\n  "
                       : "runtimes, each in a separate environment that ./dev certify NAME makes\n  ")
      << fmt::format("{}", fmt::join(backends::adapter_names(), " ")) << '\n';
  list_operators(out);
  list_types(out);
  out << "tiers\n"
         "  smoke            the examples of the texts and a case for every clause\n"
         "  core             the basis of certificates: every small shape, every type, every vector width\n"
         "  full             every shape of rank 4 as well, and more cases of every kind\n"
         "  large            outputs beyond 2^31 and 2^32 bytes, for machines with enough memory\n";
}

int explain_command(const std::vector<std::string>& words, std::size_t width, std::ostream& out,
                    std::ostream& error) {
  if (words.empty()) {
    out << all_explained_words(width);
    return exit_conformant;
  }
  const auto text = explanation_of(joined(words, " "), width);
  if (!text) return complain(error, text.error().what);
  out << *text;
  return exit_conformant;
}

int environments_command(const std::vector<std::string>& names, const Installation& installation,
                         std::ostream& error) {
  if (!installation.has_workers())
    return complain(
        error,
        "this program is not installed; in the source tree ./dev certify NAME makes the environment "
        "of a runtime");
  const std::string program = (installation.workers() / "environments.py").string();
  std::string command = installation.python() + " -B " + quoted_for_shell(program) + " " +
                        quoted_for_shell(Installation::environments().string());
  for (const std::string& name : names)
    command += " " + quoted_for_shell(name);
  const int status = std::system(command.c_str());  // NOLINT(*-command-processor)
  if (WIFEXITED(status) && WEXITSTATUS(status) <= exit_own_failure) return WEXITSTATUS(status);
  return complain(error,
                  "this needs Python: " + installation.python() + " could not be started, or was ended",
                  exit_own_failure);
}

}  // namespace certile::conformance
