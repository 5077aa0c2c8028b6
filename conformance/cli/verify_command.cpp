#include "conformance/cli/verify_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/records/verification.hpp"
#include "conformance/text/exit_code.hpp"

namespace certile::conformance {

int verify_command(const std::string& path, std::ostream& out, std::ostream& error) {
  const auto runs = verify_records(path);
  if (!runs) {
    error << "certile: " << runs.error().what << std::endl;
    return exit_bad_command;
  }
  for (const Verification& run : *runs) {
    out << run.run << '\n';
    for (const Check& check : run.checks)
      out << fmt::format("  {}  {:<12} {}\n", check.holds ? "holds" : "WRONG", check.subject, check.sentence);
  }
  const bool all = std::ranges::all_of(*runs, &Verification::holds);
  out << (all ? "VERIFIED\n" : "NOT VERIFIED\n");
  return all ? exit_conformant : exit_not_conformant;
}

}  // namespace certile::conformance
