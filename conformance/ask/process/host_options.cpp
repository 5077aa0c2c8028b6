#include "conformance/ask/process/host_options.hpp"

#include <charconv>
#include <cstring>

namespace certile::conformance {

std::vector<std::string> host_arguments(const HostOptions& options) {
  return {"host",
          std::to_string(options.layout.request_bytes),
          std::to_string(options.layout.reply_bytes),
          std::to_string(options.memory_limit),
          std::to_string(options.sandbox.layers),
          options.sandbox.folder,
          std::to_string(options.surroundings.number()),
          options.spelling};
}

std::optional<HostOptions> parse_host_arguments(std::span<char* const> arguments) {
  if (arguments.size() != 8) return std::nullopt;
  HostOptions options;
  unsigned surroundings = 0;
  const auto number = [](const char* text, auto& value) {
    const char* end = text + std::strlen(text);
    return std::from_chars(text, end, value).ptr == end;
  };
  if (!number(arguments[1], options.layout.request_bytes) ||
      !number(arguments[2], options.layout.reply_bytes) || !number(arguments[3], options.memory_limit) ||
      !number(arguments[4], options.sandbox.layers) || !number(arguments[6], surroundings))
    return std::nullopt;
  options.sandbox.folder = arguments[5];
  options.surroundings = Surroundings::numbered(surroundings);
  options.spelling = arguments[7];
  return options;
}

}  // namespace certile::conformance
