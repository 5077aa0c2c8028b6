#include "conformance/ask/process/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "backends/registry/registry.hpp"

namespace certile::conformance {
namespace {

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

void set(std::vector<std::string>& environment, const std::string& variable) {
  std::erase_if(environment, [&](const std::string& each) { return name_of(each) == name_of(variable); });
  environment.push_back(variable);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

// The rig catches signals itself, and a library's leaks until its end are no fault.
constexpr std::string_view sanitizer_options =
    "handle_segv=0:handle_sigbus=0:handle_abort=0:detect_leaks=0:use_sigaltstack=0";

}  // namespace

bool is_variable(std::string_view text) {
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || each == '_';
  };
  const std::string_view name = name_of(text);
  return name.size() < text.size() && !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name,
                             [&](char each) { return is_letter(each) || (each >= '0' && each <= '9'); });
}

std::vector<std::string> host_environment(const IsolateOptions& options) {
  std::vector<std::string> kept;
  const auto keep = [&kept](const char* name) {
    if (const char* value = std::getenv(name)) kept.push_back(std::string(name) + "=" + value);
  };
  if (options.keeps_environment) {
    for (char** each = environ; *each != nullptr; ++each)
      kept.emplace_back(*each);
  } else {
    for (const char* name :
         {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "OMP_NUM_THREADS"})
      keep(name);
    if (!backends::is_library(options.spelling))
      for (const char* name : {"CERTILE_STREAMING_FROM", "CERTILE_THREADS_FROM"})
        keep(name);
  }
  for (const std::string& variable : options.environment)
    set(kept, variable);
  const auto find = [&kept](std::string_view name) {
    return std::ranges::find_if(kept, [name](const std::string& each) { return name_of(each) == name; });
  };
  for (int index = 0; index < surrounding_count && !options.keeps_environment; ++index) {
    const auto which = static_cast<Surrounding>(index);
    const auto variable = variable_of_a_user(which);
    // What was given stays as it is.
    if (variable && options.surroundings.is_of_a_user(which) && find(name_of(*variable)) == kept.end())
      kept.emplace_back(*variable);
  }
  const auto given = find("ASAN_OPTIONS");
  const bool may_have_sanitizer = is_sanitized || find("LD_PRELOAD") != kept.end();
  if (given == kept.end() && !may_have_sanitizer && options.surroundings.is_of_a_user(Surrounding::sanitizer))
    return kept;
  set(kept, (given == kept.end() ? "ASAN_OPTIONS=" : *given + ":") + std::string(sanitizer_options));
  return kept;
}

std::string in_environment(const std::string& command, const std::vector<std::string>& variables) {
  std::string exports;
  for (const std::string& variable : variables) {
    exports.append("export ").append(name_of(variable)).append("='");
    for (const char each : variable.substr(name_of(variable).size() + 1))
      exports += each == '\'' ? std::string("'\\''") : std::string(1, each);
    exports += "'; ";
  }
  return exports + command;
}

}  // namespace certile::conformance
