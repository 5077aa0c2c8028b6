#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "reference/values/case.hpp"

// The participants of the self-test: the rows of conformance/proof/mutants/*.inc, as the program sees them.
namespace certile::conformance {

// An implementation that is wrong in one known way.
struct Mutant {
  std::string_view id, name;
  Tier tier;                                // the shortest tier in which it must be caught
  std::string_view definitions, caught_by;  // as the rows have them
  std::string_view words;
};
std::span<const Mutant> all_mutants() noexcept;

// Returns the definitions that it gets wrong.
std::vector<DefinitionId> definitions_of(const Mutant& mutant);
// Returns the id of the clause that its smallest failing case of this definition must be charged to; empty
// for a mutant that is right, and must pass.
std::string_view clause_of(const Mutant& mutant, DefinitionId definition);
// Returns the clause by which it breaks the level text, the same if that clause counts there; empty if the
// text must hold.
std::string_view text_clause_of(const Mutant& mutant, DefinitionId definition);

// A worker in Python that is wrong in one known way, asked with shape inference and without.
struct WrongWorker : Mutant {
  enum class Doors { both, with_inference } doors = Doors::both;
};
std::span<const WrongWorker> all_wrong_workers() noexcept;

// An implementation that does not compute Tile and wants a certificate all the same.
struct Liar {
  std::string_view id, name;
  enum class Exposed { failing, little, unloadable } exposed;  // how it must end
  std::string_view words;
};
std::span<const Liar> all_liars() noexcept;

// An implementation that is right in an unusual way, and must pass.
struct Odd {
  std::string_view id, name, words;
};
std::span<const Odd> all_odd() noexcept;

// A wrong behaviour that no mutant shows, with the reason.
struct OutOfReach {
  std::string_view id, words, reason;
};
std::span<const OutOfReach> out_of_reach() noexcept;

}  // namespace certile::conformance
