#include "conformance/commands/backend_start.hpp"

#include <algorithm>

#include "backends/registry.hpp"
#include "conformance/commands/exit_code.hpp"
#include "conformance/digest.hpp"
#include "conformance/report.hpp"

namespace certile {

std::optional<StartFailure> check_spelling(const std::string& spelling) {
  if (is_library(spelling)) return std::nullopt;
  std::string known;
  for (const BuiltIn& each : built_in_backends()) {
    known += known.empty() ? "" : ", ";
    known += each.name;
    if (each.name != spelling) continue;
    if (each.missing.empty()) return std::nullopt;
    return StartFailure{spelling + " is " + std::string(each.missing) + "; ./dev certify " + spelling +
                            " installs what it needs",
                        exit_not_loaded};
  }
  return StartFailure{"there is no backend '" + printable(spelling) + "'; built in are " + known +
                          "; the path of a shared library contains a '/'",
                      exit_bad_command};
}

Started start_backend(const IsolateOptions& options) {
  Started started;
  started.failure = check_spelling(options.spelling);
  if (started.failure) return started;
  auto isolate = Isolate::start(options);
  if (isolate)
    started.claim = (*isolate)->description();
  else
    started.failure = StartFailure{printable(isolate.error().what), exit_not_loaded};
  return started;
}

Result<std::string> backend_digest(const std::string& spelling) {
  return sha256_of_file(is_library(spelling) ? spelling : "/proc/self/exe");
}

std::vector<std::string> isolation_layers(const IsolateOptions& options) {
  const std::string limit = options.memory_limit == 0
                                ? "memory not limited"
                                : "memory limited to " + std::to_string(options.memory_limit >> 20) + " MiB";
  return {"a process of its own",
          "no environment but what finds libraries",
          "unreadable memory beside every buffer",
          "read-only inputs",
          limit,
          "files and network not restricted"};
}

}  // namespace certile
