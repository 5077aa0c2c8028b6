#include "conformance/cli/limits.hpp"

#include "conformance/ask/sandbox/sandbox.hpp"

namespace certile::conformance {
std::optional<std::string> Limits::apply(RunOptions& options) const {
  options.isolate.time_limit = static_cast<int>(seconds * 1000);
  options.isolate.memory_limit = mebibytes * mebibyte;
  options.isolate.environment = environment;
  if (sandbox.empty()) return std::nullopt;
  auto found = find_sandbox();
  if (!found) return found.error().what;
  options.isolate.sandbox = *std::move(found);
  const auto& refused = options.isolate.sandbox->refused;
  if (sandbox != "required" || refused.empty()) return std::nullopt;
  std::string sentence = "this machine does not allow the whole sandbox:";
  for (const auto& each : refused)
    sentence += "\n  " + words_of(each);
  return sentence;
}

}  // namespace certile::conformance
