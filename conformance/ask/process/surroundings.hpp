#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace certile::conformance {

// A thing around a process that a kernel can notice, and that must not change its answers.
enum class Surrounding : std::uint8_t {
  home,
  path,
  user,
  shell,
  threads,    // OMP_NUM_THREADS
  sanitizer,  // ASAN_OPTIONS
  program,    // the name and the file of the program
  rounding,   // of floating-point numbers
  stack,      // of the calling thread, and of those that are started later
};
inline constexpr int surrounding_count = 9;

// A choice of what a process has around it: each surrounding is that of a user's program, or that of
// certile's own process, which has few variables and the name of certile.
class Surroundings {
 public:
  // Returns those of certile's process.
  static constexpr Surroundings bare() noexcept { return Surroundings(0); }
  static constexpr Surroundings of_a_user() noexcept { return Surroundings((1U << surrounding_count) - 1); }
  // Returns those that a run uses in turn with these.
  constexpr Surroundings other() const noexcept { return Surroundings(of_a_user().of_user_ & ~of_user_); }

  constexpr bool is_of_a_user(Surrounding which) const noexcept { return (of_user_ & bit(which)) != 0; }
  // Returns these with one surrounding as it is in others.
  constexpr Surroundings with(Surrounding which, Surroundings others) const noexcept {
    return Surroundings((of_user_ & ~bit(which)) | (others.of_user_ & bit(which)));
  }
  // Returns the choice as a number, and the choice that has it.
  constexpr unsigned number() const noexcept { return of_user_; }
  static constexpr Surroundings numbered(unsigned number) noexcept {
    return Surroundings(number & of_a_user().of_user_);
  }
  bool operator==(const Surroundings&) const = default;

 private:
  explicit constexpr Surroundings(unsigned of_user) noexcept : of_user_(of_user) {}
  static constexpr unsigned bit(Surrounding which) noexcept { return 1U << static_cast<unsigned>(which); }

  unsigned of_user_;
};

// The name of the program among the surroundings of a user.
inline constexpr const char* program_of_a_user = "python3";

// Returns "HOME=/tmp" for a surrounding that is a variable which a user's program has; nothing for others.
std::optional<std::string_view> variable_of_a_user(Surrounding which) noexcept;

// Returns "it fails where HOME is set, and passes where it is not".
std::string difference_in_words(Surroundings fails, Surroundings passes);

}  // namespace certile::conformance
