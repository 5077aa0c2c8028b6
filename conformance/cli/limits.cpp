#include "conformance/cli/limits.hpp"

#include <limits>

#include "conformance/ask/process/environment.hpp"
#include "conformance/ask/sandbox/sandbox.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/whole_number.hpp"

namespace certile::conformance {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

}  // namespace

void Limits::add_to(CLI::App& command) {
  command.add_option("--time-limit", seconds, "Time limit of one call")
      ->check(CLI::Range(0.001, 1e6).description(""))
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_option("--memory-limit", mebibytes, "Memory that the backend may write to; 0: no limit")
      ->check(whole_number(std::numeric_limits<std::int64_t>::max() / mebibyte))
      ->type_name("MIB")
      ->capture_default_str();
  command.add_option("--env", environment, "Set a variable for the backend's process; may be repeated")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& text) {
            return is_variable(text) ? std::string() : "'" + printable(text) + "' is not NAME=VALUE";
          },
          ""))
      ->type_name("NAME=VALUE");
  command
      .add_flag("--sandbox{on}", sandbox,
                "Let the backend write no files and use no network; =required: or do not run it")
      ->check(CLI::IsMember({"on", "required"}).description(""))
      ->type_name("");
}

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
