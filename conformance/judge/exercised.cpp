#include "conformance/judge/exercised.hpp"

#include <algorithm>
#include <string>

#include "conformance/judge/charge.hpp"
#include "conformance/judge/roles.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/element_text.hpp"

namespace certile::conformance {
namespace {

// A clause of one definition, with the rule for the cases that exercise it.
struct Row {
  std::string_view id;
  ClauseId clause;
  Proof proof;
  bool (*applies)(const CaseTraits& traits);
  std::vector<Case> examples;  // of a clause without a role
};

// Returns true if an example of a clause without a role spells elements.
bool is_about_elements(const Clause& clause) {
  return std::ranges::any_of(clause.examples, [](const std::string& example) {
    const auto line = parse_corpus_line(example);
    return line->tensor && !line->tensor->bytes().empty();
  });
}

Row row_of(const Clause& clause) {
  const RoleRule& rule = rule_of(clause.subject());
  Row row{clause.id, clause_id(clause.id), rule.proof, rule.applies, {}};
  if (!clause.roles.empty()) return row;
  // The proof by its examples: a shape, or elements at their places.
  row.proof = is_about_elements(clause) ? Proof::elements : Proof::shape;
  for (const std::string& example : clause.examples)
    row.examples.push_back(parse_corpus_line(example)->question);
  return row;
}

std::vector<Row> rows_of(DefinitionId definition) {
  std::vector<Row> rows;
  for (const Page* page : {&page_of(definition), &contract_page()})
    for (const Clause& clause : page->clauses)
      if (clause.testable) rows.push_back(row_of(clause));
  return rows;
}

const std::vector<Row>& all_rows_of(DefinitionId definition) {
  static const auto all = [] {
    std::vector<std::vector<Row>> rows;
    for (const DefinitionId each : all_definitions())
      rows.push_back(rows_of(each));
    return rows;
  }();
  return all[static_cast<std::size_t>(definition)];
}

bool applies(const Row& row, const CaseTraits& traits) {
  if (row.examples.empty()) return row.applies(traits);
  const Case& question = *traits.question;
  return std::ranges::any_of(row.examples, [&](const Case& example) {
    return example.data.shape() == question.data.shape() &&
           numbers_in(example.repeats) == numbers_in(question.repeats);
  });
}

template <class Applies>
std::vector<std::string_view> select(DefinitionId definition, const std::vector<std::string_view>& cites,
                                     Applies is_exercised) {
  const std::vector<Row>& rows = all_rows_of(definition);
  std::vector<std::string_view> ids;
  ids.reserve(rows.size());
  for (const Row& row : rows) {
    const bool cited = !cites.empty() && std::ranges::find(cites, row.id) != cites.end();
    if ((cited && !is_of_the_door(row.clause)) || is_exercised(row)) ids.push_back(row.id);
  }
  return ids;
}

Role subject_of(std::string_view id) {
  const Clause* clause = find_clause(id);
  return clause == nullptr ? Role::none : clause->subject();
}

}  // namespace

std::vector<std::string_view> exercised_clauses(const Case& question, const Expectation& expected,
                                                const std::vector<std::string_view>& cites) {
  if (std::holds_alternative<Unspecified>(expected)) return {};  // without a judgement there is no proof
  if (const auto* reject = std::get_if<Reject>(&expected)) {
    const ClauseId refuses = accepted_clause(question, *reject, std::nullopt);
    const ClauseId status = clause_with(question.definition, Role::refuse);
    // A refusal of repeats and dimensions of different numbers also proves that nothing is broadcast.
    const ClauseId also =
        reject->role == Role::length ? clause_with(question.definition, Role::no_broadcast) : ClauseId::none;
    return select(question.definition, cites, [&](const Row& row) {
      return row.clause == refuses || row.clause == status || row.clause == also ||
             (question.placement.calls > 1 && has_role(row.clause, Role::leak));
    });
  }
  const CaseTraits traits = traits_of(question);
  const bool shape_only = question.placement.shape_only;
  return select(question.definition, cites, [&](const Row& row) {
    const bool is_seen = !shape_only || row.proof == Proof::shape || row.proof == Proof::call;
    return is_seen && applies(row, traits);
  });
}

bool needs_shared_memory(std::string_view id) noexcept {
  switch (subject_of(id)) {
    case Role::write:
    case Role::bounds:
    case Role::state:
    case Role::input:
    case Role::alias:
    case Role::place:
    case Role::threads:
    case Role::leak:
      return true;
    default:
      return false;
  }
}

bool proven_without_elements(std::string_view id) noexcept {
  const Clause* clause = find_clause(id);
  if (clause == nullptr) return false;
  return clause->roles.empty() ? !is_about_elements(*clause)
                               : rule_of(clause->subject()).proof != Proof::elements;
}

bool proven_by_shape(std::string_view id) noexcept {
  const Clause* clause = find_clause(id);
  if (clause == nullptr) return false;
  return clause->roles.empty() ? !is_about_elements(*clause)
                               : rule_of(clause->subject()).proof == Proof::shape;
}

}  // namespace certile::conformance
