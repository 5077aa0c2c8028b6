#include "conformance/run/backend_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "backends/plugin/plugin.hpp"
#include "backends/registry/registry.hpp"
#include "backends/worker/adapters.hpp"
#include "conformance/ask/process/emulator.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/suggestion.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

std::optional<StartFailure> check_spelling(const std::string& spelling) {
  if (backends::is_library(spelling)) return std::nullopt;
  if (const auto command = backends::worker_command(spelling)) {
    if (!command->empty()) return std::nullopt;
    return StartFailure{"'worker:' needs a command after it, for instance 'worker:python3 mine.py'",
                        exit_bad_command};
  }
  if (std::ranges::count(backends::adapter_names(), spelling) != 0)
    return StartFailure{spelling + " runs in a separate process and environment: ./dev certify " + spelling +
                            " makes the environment and starts the process",
                        exit_not_loaded};
  std::vector<std::string> known;
  for (const backends::BuiltIn& each : backends::built_in_backends()) {
    known.emplace_back(each.name);
    if (each.name != spelling) continue;
    if (each.unavailable().empty()) return std::nullopt;
    if (each.missing.empty())
      return StartFailure{
          spelling + " is " + std::string(each.unavailable()) + "; certile list says which backends are",
          exit_not_loaded};
    return StartFailure{spelling + " is " + std::string(each.missing) + "; ./dev certify " + spelling +
                            " installs what it needs",
                        exit_not_loaded};
  }
  std::error_code none;
  const bool exists = std::filesystem::exists(spelling, none);
  // A missing library gets the loader's sentence, with a '/' in its path or without one.
  if (!exists && spelling.ends_with(".so"))
    return StartFailure{printable_lines(backends::Plugin::load(spelling).error().what), exit_not_loaded};
  if (std::filesystem::is_directory(spelling, none))
    return StartFailure{"'" + printable(spelling) +
                            "' is a folder; name the shared library in it, or a backend of certile list",
                        exit_bad_command};
  const std::string meant = exists ? "; did you mean ./" + spelling + "?" : suggestion(spelling, known);
  return StartFailure{"there is no backend '" + printable(spelling) + "'" + printable(meant) +
                          (meant.empty() ? "; built in are " : " Built in are ") + joined(known, ", ") +
                          "; the path of a shared library contains a '/', and worker:COMMAND is a process",
                      exit_bad_command};
}

Started start_backend(const IsolateOptions& options) {
  Started started;
  started.failure = check_spelling(options.spelling);
  if (started.failure) return started;
  const auto asker = open_asker(options);
  if (!asker) {
    started.failure = StartFailure{printable_lines(asker.error().what), exit_not_loaded};
    return started;
  }
  started.claim = (*asker)->claim();
  started.transport = (*asker)->transport();
  return started;
}

namespace {

void add_sandbox(std::vector<std::string>& layers, const std::optional<SandboxFound>& sandbox) {
  if (!sandbox) {
    layers.emplace_back("no sandbox: files and network not restricted");
    return;
  }
  for (std::size_t index = 0; index < layer_count; ++index)
    if (const auto layer = static_cast<Layer>(index); has(sandbox->layers, layer))
      layers.push_back("sandbox: " + std::string(words_of(layer)));
  for (const SandboxFound::Refused& refused : sandbox->refused)
    layers.push_back("sandbox, NOT in force: " + words_of(refused));
}

}  // namespace

std::vector<std::string> isolation_layers(const IsolateOptions& options) {
  const bool behind_pipe = backends::worker_command(options.spelling).has_value();
  const std::vector<std::string> emulator = emulator_words();
  // An emulator has separate memory in the same process, and cannot limit the memory of its program.
  const std::string limit = options.memory_limit == 0 || !emulator.empty()
                                ? "memory not limited"
                                : "memory limited to " + std::to_string(options.memory_limit >> 20) + " MiB";
  const std::string time = fmt::format("a call limited to {:g} s", options.time_limit / 1e3);
  std::vector<std::string> layers{"a separate process",
                                  "few environment variables, in turn with those of a user's program",
                                  "unreadable memory next to every buffer",
                                  "read-only inputs",
                                  limit,
                                  time};
  if (behind_pipe)
    layers = {"a separate process, over a pipe", "the environment of the caller", "no shared memory", limit,
              time};
  add_sandbox(layers, options.sandbox);
  if (!options.environment.empty()) {
    std::vector<std::string> names;
    for (const std::string& variable : options.environment)
      names.push_back(variable.substr(0, variable.find('=')));
    layers.push_back("set by --env: " + joined(names, ", "));
  }
  if (!emulator.empty()) layers.push_back(fmt::format("run by an emulator: {}", fmt::join(emulator, " ")));
  return layers;
}

}  // namespace certile::conformance
