#include "conformance/proof/self_test/witnesses.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "reference/values/embedded.hpp"

namespace certile::conformance {

// Returns mutants/witnesses.tile, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_witnesses();

namespace {

std::unordered_set<std::string_view> lines_of(std::string_view text) {
  std::unordered_set<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && line.front() != '#') lines.insert(line);
  }
  return lines;
}

constexpr std::string_view heading =
    R"(# Cases of which mutants die that a sample of a tier does not kill: the self-test asks them with the sample.
# Written by `certile self-test --witnesses FILE`; a mutant that none of them kills is asked the whole tier.
)";

}  // namespace

bool is_witness(std::string_view literal) {
  static const std::unordered_set<std::string_view> listed = lines_of(embedded_witnesses().front().text);
  return listed.contains(literal);
}

void write_witnesses(std::ostream& out, std::span<const Trial> trials) {
  std::set<std::string> literals;
  for (const Trial& trial : trials)
    literals.insert(trial.witnesses.begin(), trial.witnesses.end());
  out << heading;
  for (const std::string& literal : literals)
    out << literal << '\n';
}

}  // namespace certile::conformance
