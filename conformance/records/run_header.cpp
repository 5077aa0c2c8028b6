#include "conformance/records/run_header.hpp"

#include <algorithm>

#include "conformance/text/digest.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

std::string_view name(Level level) noexcept {
  return level == Level::full ? "full" : "text";
}

std::vector<DefinitionId> RunHeader::definitions() const {
  std::vector<DefinitionId> both = all_definitions();
  for (const auto* list : {&claim.definitions, &options.definitions})
    std::erase_if(both, [list](DefinitionId each) { return std::ranges::find(*list, each) == list->end(); });
  return both;
}

std::vector<const Clause*> RunHeader::clauses() const {
  std::vector<const Clause*> all;
  const auto append = [&all](const std::vector<Clause>& clauses) {
    for (const Clause& clause : clauses)
      all.push_back(&clause);
  };
  if (clauses_listed) {
    append(*clauses_listed);
  } else {
    for (const DefinitionId definition : definitions())
      append(page_of(definition).clauses);
    append(contract_page().clauses);
  }
  return all;
}

const Clause* RunHeader::clause(std::string_view id) const {
  if (clauses_listed) {
    const auto found = std::ranges::find(*clauses_listed, id, &Clause::id);
    if (found != clauses_listed->end()) return &*found;
  }
  return find_clause(id);
}

void RunHeader::list_pages() {
  pages.clear();
  for (const Page& page : all_pages())
    pages.push_back({"reference/spec/" + page.name + ".md", sha256_hex(page.digest_source)});
  clauses_listed = nullptr;
  auto listed = std::make_shared<std::vector<Clause>>();
  for (const Clause* clause : clauses())
    listed->push_back(*clause);
  clauses_listed = std::move(listed);
}

}  // namespace certile::conformance
