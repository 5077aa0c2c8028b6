#pragma once
#include <string>
#include <string_view>

#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/emulator.hpp"

namespace certile::conformance {

// What tests start: the program that was built, and the plugins that are wrong on purpose.

inline const std::string program = CERTILE_PROGRAM;

inline std::string test_plugin(std::string_view name) {
  return CERTILE_TEST_PLUGINS "/" + std::string(name) + ".so";
}
inline std::string example_plugin(std::string_view name) {
  return CERTILE_PLUGINS "/" + std::string(name) + ".so";
}

// A call for tests that need some call.
inline const std::string small_case = "onnx-tile-13 u8[3] x i64{2}";
// What the plugins with one wrong case get wrong; every tier asks it once.
inline constexpr const char* the_case = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}";

// Returns true where a sanitizer or an emulator makes the program several times as slow.
inline bool is_slowed() {
  return !std::string_view(CERTILE_SANITIZE).empty() || !emulator_words().empty();
}

// Sanitizers that map terabytes leave no room for a limit of address space, and an emulator takes none.
inline bool has_address_space_limit() {
  const auto sanitizer = std::string_view(CERTILE_SANITIZE);
  return emulator_words().empty() && sanitizer.find("address") == sanitizer.npos &&
         sanitizer.find("thread") == sanitizer.npos;
}

// Returns true under ThreadSanitizer, which takes minutes to report a plugin that races on purpose.
inline bool has_race_detector() {
  return std::string_view(CERTILE_SANITIZE).find("thread") != std::string_view::npos;
}

// The time limit in milliseconds where a call hangs, which costs a test this time but no processor: hundreds
// of times what the calls around it need.
inline constexpr int limit_of_hangs = 2'000;

inline IsolateOptions isolate_options(std::string spelling) {
  IsolateOptions options;
  options.program = program;
  options.spelling = std::move(spelling);
  options.memory_limit = std::uint64_t{512} << 20;
  return options;
}

}  // namespace certile::conformance
