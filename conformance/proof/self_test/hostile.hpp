#pragma once
#include <atomic>
#include <span>
#include <string>
#include <string_view>

// Who attacks what judges it: the rows of conformance/proof/hostile/hostile.inc, as the program sees them.
namespace certile {

// An implementation that is right in all cases but one, or when it is loaded or closed, where it does harm.
struct Hostile {
  std::string_view id, name;
  enum class Shows {
    in_it,     // the one case fails
    next,      // a case after it fails
    at_end,    // it does not close
    at_start,  // it cannot be loaded
    nowhere,   // it is held off, and passes
  } shows;
  std::string_view fault, role;  // of the failure, and of the clause it breaks; empty: whatever comes of it
  std::string_view says;           // is in what is said of it
  std::string_view words;          // what it does
};
std::span<const Hostile> all_hostile() noexcept;

// How a run went that met it.
struct Survival {
  const Hostile* hostile = nullptr;
  bool survived = false;  // named as its row says, nothing left behind, all other cases as if it had not been
  std::string why;        // where it was not; else what was said of it
};

struct SurvivalOptions {
  std::string program = "/proc/self/exe";  // a certile, which is started again to hold it
  int time_limit = 300;                    // milliseconds that a call may take
  // Fault, clause and words are as the row says.  Not under a sanitizer, which takes some of it for its own
  // matter.
  bool exactly = true;
  int start_limit = 2000;  // and loading, where it must not succeed
};

// Asks the library at `path` the one case among others, as a run asks anybody.
Survival survive(const Hostile& hostile, const std::string& path, const SurvivalOptions& options,
                 const std::atomic<bool>& interrupted);

}  // namespace certile
