#include "conformance/proof/self_test/witnesses.hpp"

#include <set>
#include <string>
#include <string_view>

namespace certile::conformance {
namespace {

constexpr std::string_view heading =
    R"(# Cases of which mutants die that a sample of a tier does not kill: the self-test asks them with the sample,
# and a budget asks them first.  Written by `certile self-test --witnesses FILE`; a mutant that none of them
# kills is asked the whole tier.
)";

}  // namespace

void write_witnesses(std::ostream& out, std::span<const Trial> trials) {
  std::set<std::string> literals;
  for (const Trial& trial : trials)
    literals.insert(trial.witnesses.begin(), trial.witnesses.end());
  out << heading;
  for (const std::string& literal : literals)
    out << literal << '\n';
}

}  // namespace certile::conformance
