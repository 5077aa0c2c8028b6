#include "conformance/proof/self_test/roster.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/judge/roles.hpp"
#include "conformance/proof/self_test/hostile.hpp"
#include "reference/oracle/definition.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

namespace {

using enum Tier;
using enum Liar::Exposed;

#define CERTILE_TEXT_OF(words) #words
#define CERTILE_TEXT(words) CERTILE_TEXT_OF(words)
#define MUTANT(id, name, tier, definitions, caught_by, words) \
  Mutant{#id, #name, tier, CERTILE_TEXT(definitions), caught_by, words},
// Not `std::array mutants{…}`, because clang deduces the type of at most 256 elements.
constexpr auto mutants = std::to_array<Mutant>({
#include "conformance/proof/mutants/mutants.inc"
});
#define WORKER(id, name, inference, definitions, caught_by, words) \
  WrongWorker{{#id, #name, Tier::smoke, definitions, caught_by, words}, WrongWorker::Inference::inference},
constexpr std::array wrong_workers{
#include "conformance/proof/mutants/workers.inc"
};
#define LIAR(id, name, exposed, words) Liar{#id, #name, exposed, words},
constexpr std::array liars{
#include "conformance/proof/mutants/liars.inc"
};
#define ODD(id, name, words) Odd{#id, #name, words},
constexpr std::array odd_ones{
#include "conformance/proof/mutants/odd.inc"
};

constexpr std::array beyond{
    OutOfReach{"M46", "takes an input with strides of 0 for a dense one, and reads past it",
               "the C header has dense inputs only"},
    OutOfReach{"M51", "infers the data's rank where the repeats are not known",
               "the C header gives every repeat its value"},
    OutOfReach{"M54", "supports nothing, so that nothing is run", "a liar: L03"},
    OutOfReach{"M55", "asks the oracle for the answer", "a liar: L07, L08"},
    OutOfReach{"P1-P6", "gives right answers slowly", "conformance is not speed: certile-bench times it"},
};

// A property of definitions, by which the rows of mutants name the ones that they get wrong.
struct Property {
  std::string_view word;
  bool (*holds)(DefinitionId definition, const oracle::Definition& rules);
};
constexpr std::array properties{
    Property{"EVERY", [](DefinitionId, const oracle::Definition&) { return true; }},
    Property{"ALONG",
             [](DefinitionId definition, const oracle::Definition&) { return has_axis(definition); }},
    Property{"VECTOR",
             [](DefinitionId definition, const oracle::Definition&) { return !has_axis(definition); }},
    Property{"PROMOTES", [](DefinitionId,
                            const oracle::Definition& rules) { return rules.length == oracle::Length::any; }},
    // The number of repeats is that of dimensions.
    Property{"ALIGNED",
             [](DefinitionId definition, const oracle::Definition& rules) {
               return !has_axis(definition) && rules.length == oracle::Length::as_rank;
             }},
    // A list of element types, which leaves some out.
    Property{"LISTED",
             [](DefinitionId, const oracle::Definition& rules) {
               return (rules.data.allowed | rules.data.unspecified) != TypeSet::all();
             }},
    Property{"CLAMPS",
             [](DefinitionId, const oracle::Definition& rules) {
               return rules.negative == oracle::Says::as_zero;
             }},
    Property{"REFUSES_NEGATIVE",
             [](DefinitionId, const oracle::Definition& rules) {
               return rules.negative == oracle::Says::refused;
             }},
    // Repeats of any integer type.
    Property{"TYPED", [](DefinitionId,
                         const oracle::Definition& rules) { return rules.repeats.allowed == integer_types; }},
    Property{"PACKED",
             [](DefinitionId, const oracle::Definition& rules) {
               return rules.data.allowed.contains(ElementType::u4);
             }},
    Property{"COMPLEX",
             [](DefinitionId, const oracle::Definition& rules) {
               return rules.data.allowed.contains(ElementType::c64);
             }},
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool is_wrong_with(const Mutant& mutant, DefinitionId definition) {
  const auto* const property = std::ranges::find(properties, mutant.definitions, &Property::word);
  if (property != properties.end()) return property->holds(definition, oracle::rules_of(definition));
  const auto names = words_of(mutant.definitions);
  return std::ranges::find(names, name(definition)) != names.end();
}

// Returns the clause of a role as the rows spell it: "values", "repeats-form!".
ClauseId clause_by(std::string_view role, DefinitionId definition) {
  const bool is_accepted = role.ends_with('!');
  if (is_accepted) role.remove_suffix(1);
  const ClauseId clause = clause_with(definition, role_named(role).value());
  if (!is_accepted || clause == ClauseId::none || clause_of(clause).kind != Clause::Kind::normative)
    return clause;
  return clause_with(definition, Role::excluded);
}

// Returns the form of calls that a row names before a role.
CallForm form_named(std::string_view word) {
  return word == "along" ? CallForm::tiles_along_axis : CallForm::repeats_attribute;
}

// The clauses of one word of `caught_by`, at the level full and at the level text.
struct Clauses {
  ClauseId full = ClauseId::none, text = ClauseId::none;
};

Clauses clauses_by(const Mutant& mutant, DefinitionId definition) {
  for (std::string_view word : words_of(mutant.caught_by)) {
    if (const std::size_t colon = word.find(':'); colon != word.npos) {
      if (form_named(word.substr(0, colon)) != call_form(definition)) continue;
      word.remove_prefix(colon + 1);
    }
    const std::size_t slash = word.find('/');
    const ClauseId full = clause_by(word.substr(0, slash), definition);
    if (full == ClauseId::none) continue;
    const ClauseId text = slash == word.npos ? full : clause_by(word.substr(slash + 1), definition);
    return {full, counts_at_text(definition, text) ? text : ClauseId::none};
  }
  return {};
}

}  // namespace

std::span<const Mutant> all_mutants() noexcept {
  return mutants;
}

std::span<const Liar> all_liars() noexcept {
  return liars;
}

std::span<const Odd> all_odd() noexcept {
  return odd_ones;
}

std::span<const OutOfReach> out_of_reach() noexcept {
  return beyond;
}

std::vector<DefinitionId> definitions_of(const Mutant& mutant) {
  std::vector<DefinitionId> definitions;
  for (const DefinitionId definition : all_definitions()) {
    const bool is_caught = mutant.caught_by.empty() || clauses_by(mutant, definition).full != ClauseId::none;
    if (is_caught && is_wrong_with(mutant, definition)) definitions.push_back(definition);
  }
  return definitions;
}

std::span<const WrongWorker> all_wrong_workers() noexcept {
  return wrong_workers;
}

std::string_view clause_of(const Mutant& mutant, DefinitionId definition) {
  return text_of(clauses_by(mutant, definition).full);
}

std::string_view text_clause_of(const Mutant& mutant, DefinitionId definition) {
  return text_of(clauses_by(mutant, definition).text);
}

namespace {

namespace files = std::filesystem;

// Makes FOLDER/ID.so for each row of the table.
template <class Rows>
void link_each(const files::path& folder, const files::path& library, const Rows& rows,
               std::error_code& failed) {
  for (const auto& row : rows)
    if (!failed) files::create_symlink(library, folder / (std::string(row.id) + ".so"), failed);
}

}  // namespace

Result<MutantFolder> MutantFolder::find(const std::string& chosen) {
  std::error_code none;
  std::vector<files::path> places{chosen};
  if (chosen.empty()) {
    const files::path program = files::read_symlink("/proc/self/exe", none).parent_path();
    places = {program / "../mutants", program / "../lib/certile/mutants"};
  }
  for (const files::path& place : places) {
    if (!files::exists(place / "M00.so", none)) continue;
    const files::path found = files::weakly_canonical(place, none);
    if (files::exists(found / "M01.so", none)) return MutantFolder(found);
    return linked_to(found);
  }
  return Error{Error::Code::io, "there are no mutants in " + places.front().lexically_normal().string() +
                                    "; ./dev certify builds them, and --mutants names another folder"};
}

Result<MutantFolder> MutantFolder::linked_to(const files::path& installed) {
  std::error_code failed;
  std::string name = (files::temp_directory_path(failed) / "certile-mutants-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return Error{Error::Code::io, "cannot make the folder " + name};
  const files::path folder(name);
  MutantFolder made(folder / "mutants");
  made.temporary_ = folder;
  files::create_directories(made.path_, failed);
  files::create_directories(folder / "hostile", failed);
  link_each(made.path_, installed / "M00.so", all_mutants(), failed);
  link_each(made.path_, installed / "M00.so", all_liars(), failed);
  link_each(made.path_, installed / "M00.so", all_odd(), failed);
  const files::path hostile = installed.parent_path() / "hostile" / "H00.so";
  link_each(folder / "hostile", hostile, all_hostile(), failed);
  for (const char* file : {"M00.so", "wrong_workers.py", "example.py"})
    if (!failed) files::create_symlink(installed / file, made.path_ / file, failed);
  if (failed) return Error{Error::Code::io, "cannot make a link in " + name + ": " + failed.message()};
  return made;
}

MutantFolder::MutantFolder(MutantFolder&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

MutantFolder::~MutantFolder() {
  std::error_code failed;
  if (!temporary_.empty()) files::remove_all(temporary_, failed);
}

}  // namespace certile::conformance
