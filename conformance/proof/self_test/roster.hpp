#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The participants of the self-test: the rows of conformance/proof/mutants/*.inc, as the program sees them.

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
  enum class Inference { both, with_inference } inference = Inference::both;
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

// The folder with a library for each mutant, liar and injection, M01.so, L01.so, …, and the wrong workers.
// The hostile plugins, H01.so, …, are in the folder `hostile` next to it.
class MutantFolder {
 public:
  // Finds them in the folder of that name; if it is empty, next to this program, where they are built, or
  // where they are installed.  An installation has one library of each kind, M00.so and H00.so, and a library
  // chooses what it does by its own name, so a temporary folder with a link for each name is made.  Errors:
  // io.
  static Result<MutantFolder> find(const std::string& chosen);

  MutantFolder(MutantFolder&& other) noexcept;
  MutantFolder& operator=(MutantFolder&&) = delete;
  ~MutantFolder();  // removes the temporary folder

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit MutantFolder(std::filesystem::path path) : path_(std::move(path)) {}
  // Makes the temporary folder for the libraries in `installed`.
  static Result<MutantFolder> linked_to(const std::filesystem::path& installed);

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: none
};

}  // namespace certile::conformance
