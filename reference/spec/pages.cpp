#include "reference/spec/pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "reference/values/embedded.hpp"

namespace certile {

std::span<const EmbeddedFile> embedded_spec_pages();

namespace {

std::vector<Page> read_embedded_pages() {
  std::vector<Page> pages;
  for (const EmbeddedFile& file : embedded_spec_pages()) {
    auto page = parse_page(file.name.substr(0, file.name.rfind('.')), file.text);
    // Users cannot cause this error: the pages are part of the program, and tests read them all.
    if (!page) throw std::logic_error(page.error().what);
    pages.push_back(*std::move(page));
  }
  if (pages.size() != all_definitions().size() + 1) throw std::logic_error("a definition has no page");
  return pages;
}

constexpr std::size_t role_count = static_cast<std::size_t>(Role::self) + 1;
using ClausesByRole = std::array<ClauseId, role_count>;

struct Index {
  std::vector<const Clause*> clauses;  // by ClauseId
  std::unordered_map<std::string_view, ClauseId> ids;
  std::vector<ClausesByRole> roles;  // by page
};

Index make_index() {
  Index index;
  for (const Page& page : all_pages()) {
    index.roles.emplace_back().fill(ClauseId::none);
    for (const Clause& clause : page.clauses) {
      const auto id = static_cast<ClauseId>(index.clauses.size());
      index.clauses.push_back(&clause);
      index.ids.emplace(clause.id, id);
      for (const Role role : clause.roles)
        index.roles.back()[static_cast<std::size_t>(role)] = id;
    }
  }
  return index;
}

const Index& index() {
  static const Index index = make_index();
  return index;
}

}  // namespace

std::span<const Page> all_pages() {
  static const std::vector<Page> pages = read_embedded_pages();
  return pages;
}

const Page& page_of(DefinitionId definition) {
  return all_pages()[static_cast<std::size_t>(definition)];
}

const Page& contract_page() {
  return all_pages().back();
}

ClauseId clause_id(std::string_view id) {
  const auto found = index().ids.find(id);
  return found == index().ids.end() ? ClauseId::none : found->second;
}

const Clause* find_clause(std::string_view id) {
  const ClauseId found = clause_id(id);
  return found == ClauseId::none ? nullptr : &clause_of(found);
}

const Clause& clause_of(ClauseId id) {
  return *index().clauses[static_cast<std::size_t>(id)];
}

std::string_view text_of(ClauseId id) {
  return id == ClauseId::none ? std::string_view() : std::string_view(clause_of(id).id);
}

ClauseId clause_with(DefinitionId definition, std::initializer_list<Role> roles) {
  const Index& all = index();
  for (const Role role : roles)
    for (const ClausesByRole* page : {&all.roles[static_cast<std::size_t>(definition)], &all.roles.back()}) {
      const ClauseId id = (*page)[static_cast<std::size_t>(role)];
      if (id != ClauseId::none) return id;
    }
  return ClauseId::none;
}

bool has_role(ClauseId id, Role role) {
  return id != ClauseId::none && std::ranges::find(clause_of(id).roles, role) != clause_of(id).roles.end();
}

}  // namespace certile
