#include "conformance/ask/process/serve.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <csignal>
#include <new>
#include <utility>

#include "conformance/ask/process/limits.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/ask/rig/caller_state.hpp"
#include "conformance/ask/rig/closed_memory.hpp"
#include "conformance/ask/rig/fault_handler.hpp"
#include "conformance/ask/rig/plain_caller.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/ask/rig/stacks.hpp"
#include "conformance/ask/rig/thread_state.hpp"
#include "conformance/ask/wire/wire.hpp"

namespace certile::conformance {
namespace {

// Restricts this process: a debugger may read its memory, it has a separate group, ends with the host, reads
// nothing, has its output captured, no other descriptors, and no core file.
void give_up_what_is_not_needed(const HostOptions& options, pid_t host, int output) {
  open_own_memory_alone();
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != host) _exit(0);  // the host ended before prctl took effect
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  limit_resource(RLIMIT_CORE, 0);
  // The rig's memory for the largest call is added to the backend's limit: the inputs twice, and the outputs
  // where they are made and of both runs.
  const Layout& layout = options.layout;
  if (options.memory_limit != 0)
    limit_writable_memory(options.memory_limit + 2 * (layout.request_bytes + layout.reply_bytes) +
                          std::max(layout.request_bytes, layout.reply_bytes));
}

class Server {
 public:
  Server(const HostOptions& options, std::span<std::byte> requests, std::span<std::byte> replies, Rig rig,
         backends::Plugin backend)
      : layout_(options.layout),
        requests_(requests),
        replies_(replies),
        rig_(std::move(rig)),
        backend_(std::move(backend)),
        found_(state_before_the_first_call(options.surroundings)) {}

  // Answers batch after batch until the runner quits.
  void run() {
    ControlBlock& shared = control();
    while (shared.quit.load() == 0) {
      const std::uint32_t submitted = shared.submitted.load(std::memory_order_acquire);
      const std::uint32_t done = shared.done.load();
      if (submitted == done) {
        futex_wait(shared.submitted, submitted, 1000);
        continue;
      }
      answer_batch(done % 2);
      shared.done.store(done + 1, std::memory_order_release);
      futex_ring(shared.events);
    }
  }

 private:
  static CallerState state_before_the_first_call(Surroundings surroundings) {
    CallerState::make_unusual();
    if (surroundings.is_of_a_user(Surrounding::rounding)) std::fesetround(FE_UPWARD);
    return CallerState::now();
  }

  ControlBlock& control() const { return *reinterpret_cast<ControlBlock*>(replies_.data()); }

  void answer_batch(std::size_t index) {
    Slot& slot = control().slots[index];
    const auto buffer =
        replies_.subspan(Layout::control_bytes + index * layout_.reply_bytes, layout_.reply_bytes);
    WireReader reader(requests_.subspan(index * layout_.request_bytes, layout_.request_bytes));
    const std::uint32_t count = slot.count.load();
    const std::uint32_t first = slot.first.load();
    const Look look = slot.look.load();
    for (std::uint32_t request = 0; request < count; ++request) {
      const auto size = reader.number<std::uint32_t>();
      WireReader body(reader.bytes(size));
      if (request < first) continue;
      const WireReader again = body;
      const bool changed = answer(body, slot, buffer, look != Look::at_end || request + 1 == count);
      const bool is_first = !std::exchange(has_answered_, true);
      if (!changed) continue;
      if (look == Look::up_to_a_change) return;
      if (is_first && count - first == 1) ask_once_more(again, slot);
      take_for_found();
    }
  }

  // Undoes the changes of this process's first call, and repeats the call to see if it makes the same
  // changes.  The reply was delivered before, so the end of this process would cost nothing.
  void ask_once_more(WireReader body, Slot& slot) {
    try {
      found_.put_back();
      const Reply again = reply_to(body, false);
      if (again.changed_state.empty() && CallerState::now().changed_since(found_).empty())
        slot.only_first.store(1);
    } catch (const std::bad_alloc&) {
      // Then `only_first` stays 0.
    }
  }

  // Makes the present state the reference, so that no change is reported twice.
  void take_for_found() {
    try {
      found_ = CallerState::now();
    } catch (const std::bad_alloc&) {
      // Then the change is reported again.
    }
  }

  // Answers a request; with `looks`, reports changes since the last look.  Returns true if there is one.
  bool answer(WireReader& body, Slot& slot, std::span<std::byte> buffer, bool looks) {
    const std::size_t used = slot.reply_used.load();
    WireWriter writer(buffer.subspan(used));
    Reply reply;
    try {
      reply = reply_to(body, looks);
    } catch (const std::bad_alloc&) {
      reply = without_memory();
    }
    const bool changed = !reply.changed_state.empty();
    if (changed) slot.state_changed.store(1);
    write_reply(writer, reply);
    if (!writer.fits()) {
      WireWriter again(buffer.subspan(used));
      Reply instead;
      instead.inferred = Status::failed;
      instead.message = "the answer is longer than the memory for it";
      write_reply(again, instead);
      writer = again;
    }
    slot.reply_used.store(used + writer.used());
    slot.answered.fetch_add(1, std::memory_order_release);
    return changed;
  }

  Reply reply_to(WireReader& body, bool looks) {
    auto request = read_request(body);
    if (!request) return not_possible("certile could not read the request");
    // The process is not judged by what plain calls change in it.
    if (request->plain) return plain_caller_.answer(backend_, *std::move(request), control());
    Reply reply = rig_.answer(backend_, *request);
    if (!looks) return reply;
    CallerState now = CallerState::now();
    // Concurrent calls may have changed the same in their threads.
    if (std::string changed = now.changed_since(found_); !changed.empty())
      reply.changed_state = std::move(changed);
    // What was set up once is found from now on, so that changing it again is a change.
    if (reply.changed_state.empty()) found_ = std::move(now);
    return reply;
  }

  Layout layout_;
  std::span<std::byte> requests_, replies_;
  Rig rig_;
  backends::Plugin backend_;
  PlainCaller plain_caller_;
  CallerState found_;          // the state before the first call, then at the last look
  bool has_answered_ = false;  // at least one request
};

}  // namespace

void serve_in_child(const HostOptions& options, std::span<std::byte> requests, std::span<std::byte> replies,
                    pid_t host, int output, OpenBackend open) {
  give_up_what_is_not_needed(options, host, output);
  ControlBlock& control = *reinterpret_cast<ControlBlock*>(replies.data());
  catch_memory_faults();
  if (options.surroundings.is_of_a_user(Surrounding::stack)) make_stacks_small();
  WireWriter first_buffer(replies.subspan(Layout::control_bytes, options.layout.reply_bytes));

  auto rig =
      Rig::create(options.layout.request_bytes > options.layout.reply_bytes ? options.layout.request_bytes
                                                                            : options.layout.reply_bytes,
                  control);
  const ThreadState before = ThreadState::now();
  auto backend = open(options.spelling);
  // [CT-STATE] a library may change the thread that loads it before any call
  const std::string changed = ThreadState::now().changed_since(before);
  before.put_back();
  if (!rig || !backend) {
    const Error& error = !rig ? rig.error() : backend.error();
    first_buffer.number(error.code);
    first_buffer.text(error.what);
    control.opening.store(Opening::refused);
    futex_ring(control.events);
    _exit(0);
  }
  write_claim(first_buffer, backend->claim());
  first_buffer.text(changed);
  {
    Server server(options, requests, replies, *std::move(rig), *std::move(backend));
    control.opening.store(Opening::done);
    control.state.store(ChildState::serving);
    futex_ring(control.events);
    server.run();
  }
  control.closed.store(1);
  _exit(0);
}

}  // namespace certile::conformance
