#include "conformance/proof/fuzz/fuzz_target.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace certile::conformance {

const FuzzTarget& fuzz_target(std::string_view name) {
  const auto targets = fuzz_targets();
  const auto found = std::ranges::find(targets, name, &FuzzTarget::name);
  if (found != targets.end()) return *found;
  std::string known;
  for (const FuzzTarget& target : targets)
    known += " --target=" + std::string(target.name);
  std::fprintf(stderr, "there is no target '%s'; there are%s\n", std::string(name).c_str(), known.c_str());
  std::exit(2);
}

void insist(bool holds, std::string_view sentence) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", std::string(sentence).c_str());
  std::abort();
}

}  // namespace certile::conformance
