#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/emulator.hpp"
#include "conformance/ask/process/environment.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/host_options.hpp"
#include "conformance/ask/process/host_program.hpp"
#include "conformance/ask/process/isolate.hpp"
#include "conformance/ask/process/loaded_files.hpp"
#include "conformance/ask/process/nameless_copy.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/ask/process/spawn_host.hpp"
#include "conformance/ask/process/written_paths.hpp"
#include "conformance/ask/rig/closed_memory.hpp"
#include "conformance/ask/wire/wire.hpp"

// Implements the processes of an Isolate: how they start, end, and how their end is noticed.

namespace certile::conformance {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int patience = 2'000;               // milliseconds for an orderly end
constexpr std::size_t output_of_host = 4096;  // bytes that are kept
constexpr int last_patience = 300;            // milliseconds for the host to record a forced end

// The command that starts the host.
struct HostCommand {
  std::string program;
  std::vector<std::string> words;
  bool is_backend = false;  // a program that links certile's runner
  int copy = -1;            // of the program, to execute instead; below 0: none
};

Result<HostCommand> host_command(const IsolateOptions& options, const Sandbox& sandbox) {
  auto program = host_program(options.program, options.spelling);
  if (!program) return program.error();
  HostCommand command{*std::move(program),
                      host_arguments({options.spelling, options.layout, options.memory_limit, sandbox,
                                      options.surroundings})};
  const std::vector<std::string> emulator = emulator_words();
  command.is_backend = command.program == options.spelling;
  std::string own_name = command.is_backend ? command.program : "certile";
  if (!emulator.empty()) own_name = path_behind_emulator(command.program);
  const bool may_be_renamed = !command.is_backend && emulator.empty();
  if (may_be_renamed && options.surroundings.is_of_a_user(Surrounding::program)) {
    own_name = program_of_a_user;
    if (backends::is_library(options.spelling)) command.copy = nameless_copy(command.program);
  }
  command.words.insert(command.words.begin(), own_name);
  command.words.insert(command.words.begin(), emulator.begin(), emulator.end());
  if (!emulator.empty()) command.program = emulator.front();
  return command;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words)
    result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// Copies a descriptor to a number above those of the host's descriptors; below 0 on failure.
int copied_above(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, host_own_program + 1);
}

int moved_above(int descriptor) {
  const int moved = copied_above(descriptor);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return moved;
}

Error start_error(const IsolateOptions& options, const std::string& why) {
  return {Error::Code::io, "cannot start a process for " + options.spelling + ": " + why};
}

bool is_interrupted(const IsolateOptions& options) {
  return options.interrupted != nullptr && options.interrupted->load();
}

}  // namespace

Result<std::unique_ptr<Isolate>> Isolate::start(const IsolateOptions& options) {
  auto requests = SharedMemory::create(options.layout.request_total(), true);
  if (!requests) return requests.error();
  auto replies = SharedMemory::create(options.layout.reply_total(), false);
  if (!replies) return replies.error();
  adopt_orphans();
  close_own_memory();
  std::unique_ptr<Isolate> isolate(new Isolate(options, *std::move(requests), *std::move(replies)));
  if (auto started = isolate->start_host(); !started) return started.error();
  if (auto started = isolate->start_child(); !started) return started.error();
  isolate->note_loaded();
  return isolate;
}

Isolate::~Isolate() {
  note_loaded();
  end_host();
  if (options_.printed != nullptr) *options_.printed += control().printed.total();
  if (options_.written != nullptr) options_.written->add(control().written, folder_ ? folder_->path() : "");
}

Result<Done> Isolate::start_host() {
  Sandbox sandbox;
  if (options_.sandbox) {
    auto folder = PrivateFolder::create();
    if (!folder) return folder.error();
    folder_ = *std::move(folder);
    sandbox = {options_.sandbox->layers, folder_->path()};
  } else {
    sandbox.folder = options_.fresh_folder;
  }
  auto host = host_command(options_, sandbox);
  if (!host) return host.error();
  if (host->is_backend) {
    // What its `main` prints must not look like a part of the report.
    auto output = SharedMemory::create(output_of_host, false);
    if (!output) return output.error();
    host_output_.emplace(*std::move(output));
  }
  // A program that links the runner may have been built with a sanitizer.
  IsolateOptions around = options_;
  if (host->is_backend)
    around.surroundings = around.surroundings.with(Surrounding::sanitizer, Surroundings::bare());
  std::vector<std::string> environment = host_environment(around);
  const std::vector<char*> words = pointers(host->words), variables = pointers(environment);
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return start_error(options_, std::strerror(errno));
  socket_ = moved_above(ends[0]);
  const std::array<int, 3> given{copied_above(requests_.descriptor()), moved_above(ends[1]),
                                 copied_above(replies_.descriptor())};
  int failed =
      socket_ < 0 || std::ranges::any_of(given, [](int descriptor) { return descriptor < 0; }) ? errno : 0;
  const int output = host_output_ ? host_output_->descriptor() : -1;
  const std::string copy = "/proc/self/fd/" + std::to_string(host_own_program);
  // The system may not execute files in memory.
  const bool is_copy_refused =
      host->copy < 0 || failed != 0 ||
      spawn_host(host_, copy, words.data(), variables.data(), given, output, host->copy) != 0;
  if (failed == 0 && is_copy_refused)
    failed = spawn_host(host_, host->program, words.data(), variables.data(), given, output, -1);
  of_host_ = options_.surroundings;
  for (const int descriptor : given)
    if (descriptor >= 0) ::close(descriptor);
  if (failed == 0) return Done{};
  host_ = -1;
  return start_error(options_, std::strerror(failed));
}

void Isolate::note_loaded() const {
  if (options_.loaded != nullptr && host_ > 0) options_.loaded->note(host_);
}

void Isolate::end_host() noexcept {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  if (host_ <= 0) return;
  conformance::end_host(std::exchange(host_, -1));
}

std::string Isolate::printed_too() const {
  std::string output = printed();
  if (host_output_ && output.empty()) {
    const auto* const text = reinterpret_cast<const char*>(host_output_->bytes().data());
    output.assign(text, strnlen(text, output_of_host));
  }
  const std::string words = backends::printed_words(output);
  return words.empty() ? words : "; " + words;
}

bool Isolate::command(char what) noexcept {
  return send(socket_, &what, 1, MSG_NOSIGNAL) == 1;
}

bool Isolate::host_is_gone() noexcept {
  if (host_ <= 0) return true;
  if (!has_ended(host_)) return false;
  host_ = -1;
  end_orphans();  // the host would have ended them
  return true;
}

Result<Done> Isolate::start_child() {
  constexpr int tries = 3;
  Error last;
  const auto start = own_.total();
  const auto is_late = [&] { return has_passed_since(start, options_.start_limit); };
  for (int attempt = 0; attempt < tries && !is_late(); ++attempt) {
    if (is_interrupted(options_)) return start_error(options_, "interrupted");
    if (host_is_gone()) {
      end_host();
      if (auto started = start_host(); !started) return started;
    }
    ControlBlock& shared = control();
    shared.quit.store(0);
    shared.closed.store(0);
    shared.opening.store(Opening::under_way);
    shared.fault.fault.store(0);
    shared.fault.cause.store(FaultCause::unknown);
    shared.phase.store(Phase::idle);
    shared.calls.under_way.store(0);
    answers_of_child_ = 0;
    shared.state.store(ChildState::starting);
    if (!command('s')) {
      last = start_error(options_, std::strerror(errno));
      end_host();
      continue;
    }
    auto started = wait_for_start();
    if (started) return started;
    last = started.error();
    if (last.code != Error::Code::io || shared.opening.load() == Opening::refused) return last;
  }
  if (host_output_ && host_is_gone())
    return Error{Error::Code::io,
                 options_.spelling +
                     " ended before it answered certile; main has to call certile_runner_main, and "
                     "to return what that returns" +
                     printed_too()};
  return last;
}

Result<Done> Isolate::wait_for_start() {
  ControlBlock& shared = control();
  const auto start = own_.total();
  for (;;) {
    const std::uint32_t events = shared.events.load();
    const ChildState state = shared.state.load();
    WireReader reader(replies_.bytes().subspan(Layout::control_bytes, options_.layout.reply_bytes));
    // The child may have ended since; the next request will show that.
    if (shared.opening.load() == Opening::done) {
      // Only the first child describes the backend, because the buffer is in use when later ones start.
      if (!claim_.name.empty() || built_ != collected_) return Done{};
      auto claim = read_claim(reader);
      if (!claim) return start_error(options_, "its claim cannot be read");
      claim_ = *std::move(claim);
      changed_by_opening_ = reader.text();
      return Done{};
    }
    if (shared.opening.load() == Opening::refused) {
      const auto code = reader.number<Error::Code>();
      std::string why = reader.text();
      await_death(patience);
      return Error{code, why + printed_too()};
    }
    if (state == ChildState::dead || host_is_gone()) {
      const ChildEnd end = how_it_ended();
      const std::string how = end.signal != 0 ? std::string("by signal ") + std::to_string(end.signal) +
                                                    " (" + strsignal(end.signal) + ")"
                                              : "with exit code " + std::to_string(end.exit_code);
      return Error{Error::Code::io, options_.spelling + " ended the process " + how +
                                        " while it was being loaded" + printed_too()};
    }
    if (is_interrupted(options_)) {
      await_death(0);
      return start_error(options_, "interrupted");
    }
    if (has_passed_since(start, options_.start_limit)) {
      await_death(0);
      return Error{Error::Code::io, options_.spelling + " was still loading after " +
                                        std::to_string(options_.start_limit / 1000) + " s" + printed_too()};
    }
    wait_a_little(events, 50);
  }
}

bool Isolate::await_death(int milliseconds) noexcept {
  ControlBlock& shared = control();
  auto start = own_.total();
  bool killed = false;
  while (shared.state.load() != ChildState::dead && !host_is_gone()) {
    if (milliseconds == 0 || has_passed_since(start, milliseconds)) {
      if (killed) {  // not even the host answers, perhaps because it was stopped
        end_descendants_of(host_);
        kill(host_, SIGKILL);
        waitpid(host_, nullptr, 0);
        host_ = -1;
        end_orphans();
        return false;
      }
      command('k');
      killed = true;
      start = own_.total();
      milliseconds = last_patience;
    }
    wait_a_little(shared.events.load(), 1);
  }
  return !killed;
}

ChildEnd Isolate::how_it_ended() {
  const ControlBlock& shared = control();
  ChildEnd end;
  end.phase = shared.phase.load();
  if (shared.state.load() != ChildState::dead) {
    end.host_ended = true;
    end.signal = SIGKILL;
    return end;
  }
  const int status = shared.wait_status.load();
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  const std::uint32_t fault = shared.fault.fault.load();
  const bool understood = fault == static_cast<std::uint32_t>(Fault::wrote_outside) ||
                          fault == static_cast<std::uint32_t>(Fault::read_outside) ||
                          fault == static_cast<std::uint32_t>(Fault::changed_input);
  end.operand = std::min<std::uint32_t>(shared.fault.operand.load(), 5);
  if (understood) {
    end.fault = static_cast<Fault>(fault);
    end.distance = shared.fault.distance.load();
  } else if (end.signal == SIGSEGV || end.signal == SIGBUS) {
    end.cause = shared.fault.cause.load();
  }
  return end;
}

std::optional<ChildEnd> Isolate::close() {
  ControlBlock& shared = control();
  if (shared.state.load() == ChildState::dead || host_is_gone()) return how_it_ended();
  note_loaded();
  shared.quit.store(1);
  futex_ring(shared.submitted);
  const bool in_time = await_death(options_.time_limit);
  ChildEnd end = how_it_ended();
  end.timed_out = !in_time;
  const bool orderly = end.signal == 0 && end.exit_code == 0 && !end.host_ended;
  if (orderly && shared.closed.load() != 0) return std::nullopt;
  return end;
}

Result<Done> Isolate::restart() {
  ControlBlock& shared = control();
  if (shared.state.load() != ChildState::dead && !host_is_gone()) close();
  if (options_.surroundings != of_host_) end_host();  // the next child needs a host with others
  shared.submitted.store(0);
  shared.done.store(0);
  built_ = collected_ = 0;
  given_up_ = is_used_up_ = false;
  batches_[0] = batches_[1] = Batch{};
  return start_child();
}

}  // namespace certile::conformance
