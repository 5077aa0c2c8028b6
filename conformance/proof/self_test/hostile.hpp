#pragma once
#include <atomic>
#include <span>
#include <string>
#include <string_view>

// The plugins that attack their judge: the rows of conformance/proof/hostile/hostile.inc, as the program sees
// them.
namespace certile::conformance {

// An implementation that is right in all cases but one, or when it is loaded or closed, where it does harm.
struct Hostile {
  std::string_view id, name;
  enum class Shows {
    in_it,     // the one case fails
    next,      // a case after it fails
    at_end,    // it does not close
    at_start,  // it cannot be loaded
    nowhere,   // the attack has no effect, and it passes
  } shows;
  std::string_view fault, role;  // of the failure, and of the clause it breaks; empty: any result
  std::string_view says;         // is part of the explanation
  std::string_view words;        // what it does
};
std::span<const Hostile> all_hostile() noexcept;

// The course of a run with a hostile plugin.
struct Survival {
  const Hostile* hostile = nullptr;
  bool survived = false;  // as its row says: nothing left behind, all other cases unaffected
  std::string why;        // if it did not survive; otherwise the explanation of the failure
};

struct SurvivalOptions {
  std::string program = "/proc/self/exe";  // a certile, which is started again to hold it
  int time_limit = 300;                    // milliseconds that a call may take
  // Fault, clause and words must match the row.  False under a sanitizer, which reports some faults itself.
  bool exactly = true;
  int start_limit = 2000;  // also for loading, if it must not succeed
};

// Runs the one case among others with the library at `path`, in the usual way.
Survival survive(const Hostile& hostile, const std::string& path, const SurvivalOptions& options,
                 const std::atomic<bool>& interrupted);

}  // namespace certile::conformance
