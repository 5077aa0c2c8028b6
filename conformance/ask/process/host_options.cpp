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
          options.spelling};
}

std::optional<HostOptions> parse_host_arguments(std::span<char* const> arguments) {
  if (arguments.size() != 7) return std::nullopt;
  HostOptions options;
  const auto number = [](const char* text, auto& value) {
    const char* end = text + std::strlen(text);
    return std::from_chars(text, end, value).ptr == end;
  };
  if (!number(arguments[1], options.layout.request_bytes) ||
      !number(arguments[2], options.layout.reply_bytes) || !number(arguments[3], options.memory_limit) ||
      !number(arguments[4], options.sandbox.layers))
    return std::nullopt;
  options.sandbox.folder = arguments[5];
  options.spelling = arguments[6];
  return options;
}

}  // namespace certile::conformance
