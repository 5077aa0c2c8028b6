#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/process_table.hpp"
#include "conformance/ask/rig/fault_handler.hpp"
#include "conformance/ask/rig/stacks.hpp"
#include "conformance/ask/sandbox/sandbox.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {
namespace {

// The seconds that slow, hanging and crashing calls of a tier may take, all of them together.
constexpr std::array<int, 4> patience{5, 60, 15 * 60, 24 * 60 * 60};

// How many times that patience this build has, because sanitizers slow the backend's process down.
constexpr int slowdown = std::string_view(CERTILE_SANITIZE).empty() ? 1 : 10;

// Sets the options of a backend's process.  Returns a sentence if the sandbox that the user requires is not
// available.
std::optional<std::string> apply(const Limits& limits, RunOptions& run) {
  run.interrupted = run.isolate.interrupted = &interrupted();
  run.isolate.time_limit = static_cast<int>(limits.seconds * 1000);
  run.isolate.memory_limit = limits.mebibytes * Limits::mebibyte;
  run.isolate.environment = limits.environment;
  if (limits.sandbox.empty()) return std::nullopt;
  auto found = find_sandbox();
  if (!found) return found.error().what;
  run.isolate.sandbox = *std::move(found);
  const auto& refused = run.isolate.sandbox->refused;
  if (limits.sandbox != "required" || refused.empty()) return std::nullopt;
  std::string sentence = "this machine does not allow the whole sandbox:";
  for (const auto& each : refused)
    sentence += "\n  " + words_of(each);
  return sentence;
}

// Runs run, shrink, claim or certify.
int ask_backend(CommandLine& line) {
  CertifyOptions& certify = line.certify;
  RunOptions& run = line.command == "certify" ? certify.run
                    : line.command == "claim" ? line.claim.run
                                              : line.one_case.run;
  if (const auto sentence = apply(line.limits, run)) return complain(std::cerr, *sentence, exit_not_loaded);
  if (line.command == "run") return run_command(line.one_case, std::cout, std::cerr);
  if (line.command == "shrink") return shrink_command(line.one_case, std::cout, std::cerr);
  if (line.command == "claim") return claim_command(line.claim, std::cout, std::cerr);
  certify.run.tier_time =
      std::chrono::seconds(slowdown * patience.at(static_cast<std::size_t>(certify.plan.tier)));
  return certify_command(certify, std::cout, std::cerr);
}

int execute(CommandLine& line, const Installation& installation) {
  const auto is = [&line](std::string_view command) { return line.command == command; };
  if (is("list")) {
    list_command(std::cout, line.names_only, installation.has_workers());
    return exit_conformant;
  }
  if (is("new")) return new_command(line.new_starter, std::cout, std::cerr);
  if (is("environments")) return environments_command(line.environments, installation, std::cerr);
  if (is("oracle")) return oracle_command(line.oracle, std::cin, std::cout, std::cerr);
  for (TextOptions* text : {&line.report.text, &line.certify.text, &line.merge.report.text}) {
    text->colour = wants_colour(STDOUT_FILENO);
    text->width = columns_of(STDOUT_FILENO, text->width);
  }
  if (is("certify") && line.certify.text.detail == Detail::brief && is_terminal(STDOUT_FILENO))
    line.certify.text.legend = is_first_verdict();
  line.one_case.width = columns_of(STDOUT_FILENO, line.one_case.width);
  if (is("explain")) return explain_command(line.explained, line.one_case.width, std::cout, std::cerr);
  if (is("report")) return report_command(line.report, std::cout, std::cerr);
  if (is("merge")) return merge_command(line.merge, std::cout, std::cerr);
  if (is("diff")) return diff_command(line.diff, std::cout, std::cerr);
  if (is("keygen")) return keygen_command(line.keygen, std::cout, std::cerr);
  if (is("sign")) return sign_command(line.sign, std::cerr);
  name_built_in_backends(line.certify, std::cerr);
  std::vector<std::string> asked = line.certify.backends;
  asked.push_back(line.one_case.run.isolate.spelling);
  for (std::string* backend :
       {&line.verify.backend, &line.claim.run.isolate.spelling, &line.one_case.run.isolate.spelling})
    *backend = installation.spelling_of(*backend);
  for (std::string& backend : line.certify.backends)
    backend = installation.spelling_of(backend);
  if (is("verify")) return verify_command(line.verify, std::cout, std::cerr);
  watch_for_interrupts();
  if (is("worker-check")) return worker_check_command(line.worker, std::cout, std::cerr);
  if (is("self-test")) return self_test_command(line.self_test, std::cout, std::cerr);
  const int code = ask_backend(line);
  for (const std::string& backend : asked)
    if (const std::string remedy = installation.remedy_for(backend);
        code == exit_not_loaded && !remedy.empty())
      std::cerr << "certile: if Python lacks the runtime, this installs it separately: " << remedy
                << std::endl;
  return code;
}

// Prints the sentence without allocating memory and without the streams, because either may have failed.
int fail_because(const char* sentence) {
  std::fprintf(stderr, "certile: %s\n", sentence);
  return exit_own_failure;
}

// Ends the program with a sentence if memory ran out where no exception may be thrown, such as in a library's
// destructor.  By default, a signal would end it.
void end_without_memory() {
  try {
    if (const auto failure = std::current_exception()) std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    std::_Exit(fail_because("there is not enough memory"));
  } catch (...) {  // NOLINT(bugprone-empty-catch): all other exceptions abort below, as by default
  }
  std::abort();
}

int command_line(int argument_count, char** arguments) {
  std::set_terminate(end_without_memory);
  try {
    std::ios::sync_with_stdio(false);
    std::signal(SIGXFSZ, SIG_IGN);  // then to write more than the limit is an error, and not the end
    // [CT-SELF] certile does not compute answers for a backend that it judges
    if (is_below_a_host()) {
      std::cerr << "certile: refused, because a backend under judgement started it" << std::endl;
      return exit_own_failure;
    }
    const Installation installation = Installation::of_this_program();
    CommandLine line;
    const auto done = read_command_line(line, installation, argument_count, arguments, std::cout, std::cerr);
    const int code = done ? *done : execute(line, installation);
    if (std::cout.flush()) return code;
    std::cerr << "certile: the results could not be written to standard output" << std::endl;
    return exit_bad_command;
  } catch (const std::bad_alloc&) {
    return fail_because("there is not enough memory");
  } catch (const std::exception& failure) {
    return fail_because(failure.what());
  }
}

}  // namespace
}  // namespace certile::conformance

int main(int argument_count, char** arguments) {
  return certile::conformance::call_with_stack([&] {
    // A host must hold as little as possible, so it branches off before anything else is set up.
    if (const auto code = certile::conformance::run_as_own_process(argument_count, arguments)) return *code;
    certile::conformance::hold_standard_streams();
    return certile::conformance::command_line(argument_count, arguments);
  });
}
