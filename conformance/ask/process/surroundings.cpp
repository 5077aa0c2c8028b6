#include "conformance/ask/process/surroundings.hpp"

#include <vector>

namespace certile::conformance {
namespace {

std::string_view name_of(Surrounding which) {
  if (which == Surrounding::sanitizer) return "ASAN_OPTIONS";
  const std::string_view variable = variable_of_a_user(which).value_or("=");
  return variable.substr(0, variable.find('='));
}

std::string state_of(Surrounding which, bool of_a_user) {
  if (which == Surrounding::program)
    return std::string("the program is called ") + (of_a_user ? program_of_a_user : "certile");
  if (which == Surrounding::rounding)
    return std::string("floating-point numbers are rounded ") + (of_a_user ? "up" : "to the nearest");
  if (which == Surrounding::stack) return std::string("a stack has ") + (of_a_user ? "1 MiB" : "8 MiB");
  const bool is_set = of_a_user != (which == Surrounding::sanitizer);
  return std::string(name_of(which)) + (is_set ? " is set" : " is not set");
}

std::string opposite_of(Surrounding which, bool of_a_user) {
  if (which == Surrounding::program)
    return std::string("it is called ") + (of_a_user ? "certile" : program_of_a_user);
  if (which == Surrounding::rounding) return of_a_user ? "they are not" : "they are rounded up";
  if (which == Surrounding::stack) return of_a_user ? "it has 8 MiB" : "it has 1 MiB";
  const bool is_set = of_a_user != (which == Surrounding::sanitizer);
  return is_set ? "it is not" : "it is";
}

}  // namespace

std::optional<std::string_view> variable_of_a_user(Surrounding which) noexcept {
  switch (which) {
    case Surrounding::home:
      return "HOME=/tmp";
    case Surrounding::path:
      return "PATH=/usr/local/bin:/usr/bin:/bin";
    case Surrounding::user:
      return "USER=user";
    case Surrounding::shell:
      return "SHELL=/bin/sh";
    case Surrounding::threads:
      return "OMP_NUM_THREADS=3";
    case Surrounding::sanitizer:
    case Surrounding::program:
    case Surrounding::rounding:
    case Surrounding::stack:
      break;
  }
  return std::nullopt;
}

std::string difference_in_words(Surroundings fails, Surroundings passes) {
  std::vector<Surrounding> differing;
  for (int index = 0; index < surrounding_count; ++index)
    if (const auto which = static_cast<Surrounding>(index);
        fails.is_of_a_user(which) != passes.is_of_a_user(which))
      differing.push_back(which);
  std::string words = "it fails where ";
  for (const Surrounding which : differing) {
    if (which != differing.front()) words += which == differing.back() ? " and " : ", ";
    words += state_of(which, fails.is_of_a_user(which));
  }
  if (differing.size() != 1) return words + ", and passes elsewhere";
  return words + ", and passes where " +
         opposite_of(differing.front(), fails.is_of_a_user(differing.front()));
}

}  // namespace certile::conformance
