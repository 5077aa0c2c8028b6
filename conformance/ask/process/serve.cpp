#include "conformance/ask/process/serve.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "backends/plugin/remote_backend.hpp"
#include "backends/worker/lives.hpp"
#include "conformance/ask/process/futex.hpp"
#include "conformance/ask/rig/caller_state.hpp"
#include "conformance/ask/rig/closed_memory.hpp"
#include "conformance/ask/rig/fault_handler.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/ask/wire/description_wire.hpp"

namespace certile {
namespace {

constexpr bool has_address_sanitizer =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

void limit(__rlimit_resource_t resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

// Closes what lies above the standard streams, but for a fork server's socket.
void close_others(const Lives* lives) {
  std::vector<int> kept{STDERR_FILENO};
  if (lives != nullptr) kept.insert(kept.end(), {lives->descriptor(), lives->offered()});
  std::ranges::sort(kept);
  for (std::size_t index = 0; index < kept.size(); ++index) {
    const unsigned end = index + 1 < kept.size() ? static_cast<unsigned>(kept[index + 1]) : ~0U;
    if (kept[index] >= STDERR_FILENO && end - static_cast<unsigned>(kept[index]) > 1)
      close_range(static_cast<unsigned>(kept[index]) + 1, end == ~0U ? end : end - 1, 0);
  }
}

// What the process itself writes to, whatever it is asked: stacks, the heap.
constexpr rlim_t own_memory = 256 << 20;

// Bytes that the process may write to: the backend's, the process's own, and what the rig keeps of the
// largest call, which is not the backend's affair: its inputs twice, and its outputs of both runs.
rlim_t writable(const HostOptions& options) {
  const Layout& layout = options.layout;
  return options.memory_limit + own_memory + 2 * (layout.request_bytes + layout.reply_bytes);
}

// A memory that a debugger may look into; a group of its own; an end with the host; nothing to read; what it
// prints is captured; no other descriptor; no core file.
void give_up_what_is_not_needed(const HostOptions& options, HostTies ties) {
  open_own_memory_alone();
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != ties.host) _exit(0);  // it ended before we asked to be told
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(ties.output, STDOUT_FILENO);
  dup2(ties.output, STDERR_FILENO);
  close_others(ties.lives);
  limit(RLIMIT_CORE, 0);
  // What it may write to, not what it reserves: runtimes reserve address space by the gigabyte and never
  // touch it.  A sanitizer's shadow memory is larger than any limit of use.
  if (options.memory_limit != 0 && !has_address_sanitizer) limit(RLIMIT_DATA, writable(options));
}

class Server {
 public:
  Server(const Layout& layout, std::span<std::byte> requests, std::span<std::byte> replies, Rig rig,
         std::unique_ptr<Backend> backend)
      : layout_(layout),
        requests_(requests),
        replies_(replies),
        rig_(std::move(rig)),
        backend_(std::move(backend)),
        remote_(dynamic_cast<RemoteBackend*>(backend_.get())),
        infers_(backend_->describe().infers),
        found_(CallerState::now()) {}

  // Answers batch after batch until it is told to quit.
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
  ControlBlock& control() const { return *reinterpret_cast<ControlBlock*>(replies_.data()); }

  void answer_batch(std::size_t index) {
    Slot& slot = control().slots[index];
    const auto buffer =
        replies_.subspan(Layout::control_bytes + index * layout_.reply_bytes, layout_.reply_bytes);
    WireReader reader(requests_.subspan(index * layout_.request_bytes, layout_.request_bytes));
    const std::uint32_t count = slot.count.load();
    const std::uint32_t first = slot.first.load();
    if (remote_ != nullptr) look_ahead_if_possible(reader, first, count);
    const Look look = slot.look.load();
    for (std::uint32_t request = 0; request < count; ++request) {
      const auto size = reader.number<std::uint32_t>();
      WireReader body(reader.bytes(size));
      if (request < first) continue;
      const WireReader again = body;
      turn_ = request - first;
      const bool changed = answer(body, slot, buffer, look != Look::at_end || request + 1 == count);
      const bool is_first = !std::exchange(has_answered_, true);
      if (!changed) continue;
      if (look == Look::up_to_a_change) return;
      if (is_first && count - first == 1) ask_once_more(again, slot);
      take_for_found();
    }
  }

  // Puts back what the first call of this process left changed, and makes the call again: does it change the
  // same again?  The reply has been handed over: should this end the process, it costs nothing.
  void ask_once_more(WireReader body, Slot& slot) {
    try {
      found_.put_back();
      static_cast<void>(reply_to(body, false));
      if (CallerState::now().changed_since(found_).empty()) slot.only_first.store(1);
    } catch (const std::bad_alloc&) {
      // It stays open.
    }
  }

  // What has been told of is not told of again.
  void take_for_found() {
    try {
      found_ = CallerState::now();
    } catch (const std::bad_alloc&) {
      // It is told of again, then.
    }
  }

  // Without memory for all of them, each is a message of its own.
  void look_ahead_if_possible(const WireReader& reader, std::uint32_t first, std::uint32_t count) {
    try {
      look_ahead(reader, first, count);
    } catch (const std::bad_alloc&) {
      remote_->look_ahead({}, [] {});
    }
  }

  // Tells a backend behind a pipe all calls of the batch, so that one message can hold many of them.
  void look_ahead(WireReader reader, std::uint32_t first, std::uint32_t count) {
    upcoming_requests_.clear();
    upcoming_requests_.reserve(count);
    for (std::uint32_t index = 0; index < count; ++index) {
      const auto size = reader.number<std::uint32_t>();
      WireReader body(reader.bytes(size));
      if (index < first) continue;
      auto request = read_request(body);
      upcoming_requests_.push_back(request ? *std::move(request) : Request{});
    }
    upcoming_.clear();
    for (const Request& request : upcoming_requests_) {
      RemoteBackend::Upcoming upcoming{
          {request.definition, {}, request.repeats.view(), std::nullopt}, false, true, 0};
      if (!request.data.empty()) {
        upcoming.call.data = request.data.front().view();
        upcoming.alone = request.placement.threads > 1;
        upcoming.shape_only = request.placement.shape_only;
      }
      if (request.axis) upcoming.call.axis = request.axis->view();
      upcoming.output_bytes = request.reply_limit;
      upcoming_.push_back(upcoming);
    }
    remote_->look_ahead(upcoming_, [this] { control().calls.begun.fetch_add(1); });
  }

  // A backend's own process is part of it: where that ends, so do we, in the same way.
  [[noreturn]] void end_like(int wait_status, const Reply& reply) {
    const bool in_infer = infers_ && reply.inferred == CallEnd::failed;
    control().phase.store(in_infer ? Phase::infer : Phase::first_run);
    if (WIFSIGNALED(wait_status)) {
      const int number = WTERMSIG(wait_status);
      std::signal(number, SIG_DFL);
      kill(getpid(), number);
    }
    _exit(WEXITSTATUS(wait_status));
  }

  // `looks`: at what this call and those since the last look left changed; true where something is.
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
      instead.inferred = CallEnd::failed;
      instead.message = "the answer is longer than the memory for it";
      write_reply(again, instead);
      writer = again;
    }
    slot.reply_used.store(used + writer.used());
    slot.answered.fetch_add(1, std::memory_order_release);
    return changed;
  }

  Reply reply_to(WireReader& body, bool looks) {
    if (remote_ != nullptr) remote_->turn_to(turn_);
    const auto request = read_request(body);
    if (!request) return not_possible("certile could not read what was to be asked");
    Reply reply = rig_.answer(*backend_, infers_, *request);
    if (remote_ != nullptr)
      if (const auto ended = remote_->ended()) end_like(*ended, reply);
    if (!looks) return reply;
    reply.changed_state = CallerState::now().changed_since(found_);
    return reply;
  }

  Layout layout_;
  std::span<std::byte> requests_, replies_;
  Rig rig_;
  std::unique_ptr<Backend> backend_;
  RemoteBackend* remote_;  // null where it computes in this process
  std::size_t turn_ = 0;   // of the request at hand, among those that are looked ahead at
  std::vector<Request> upcoming_requests_;
  std::vector<RemoteBackend::Upcoming> upcoming_;
  bool infers_;
  CallerState found_;          // before the first call, then at the last look that found it changed
  bool has_answered_ = false;  // at least one request
};

}  // namespace

void serve_in_child(const HostOptions& options, std::span<std::byte> requests, std::span<std::byte> replies,
                    HostTies ties) {
  give_up_what_is_not_needed(options, ties);
  ControlBlock& control = *reinterpret_cast<ControlBlock*>(replies.data());
  catch_memory_faults();
  WireWriter first_buffer(replies.subspan(Layout::control_bytes, options.layout.reply_bytes));

  auto rig =
      Rig::create(options.layout.request_bytes > options.layout.reply_bytes ? options.layout.request_bytes
                                                                            : options.layout.reply_bytes,
                  control);
  auto backend = ties.open(options.spelling, ties.lives);
  control.fork_server.store(ties.lives != nullptr ? ties.lives->server() : 0);
  if (!rig || !backend) {
    const Error& error = !rig ? rig.error() : backend.error();
    first_buffer.number(error.code);
    first_buffer.text(error.what);
    control.opening.store(Opening::refused);
    futex_ring(control.events);
    _exit(0);
  }
  write_description(first_buffer, (*backend)->describe());
  {
    Server server(options.layout, requests, replies, *std::move(rig), *std::move(backend));
    control.opening.store(Opening::done);
    control.state.store(ChildState::serving);
    futex_ring(control.events);
    server.run();
  }
  control.closed.store(1);
  _exit(0);
}

}  // namespace certile
