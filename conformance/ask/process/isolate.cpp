#include "conformance/ask/process/isolate.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "conformance/ask/process/shared_memory.hpp"

namespace certile::conformance {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int processes_for_changes = 10;  // processes abandoned because a call changed them
constexpr int pause_between_checks = 50;   // milliseconds between two checks of the host

// Returns the size of the batch of that number, from 1 to 256: small at first, because the first failure,
// where a run may stop, mostly comes early, and because the first calls show whether the backend is slow.
std::size_t largest_batch(std::uint32_t number) {
  constexpr std::uint32_t of_one = 8, doublings = 8;
  return std::size_t{1} << std::min(number - std::min(number, of_one), doublings);
}

}  // namespace

Isolate::Isolate(IsolateOptions options, SharedMemory requests, SharedMemory replies)
    : options_(std::move(options)), requests_(std::move(requests)), replies_(std::move(replies)) {}

ControlBlock& Isolate::control() const noexcept {
  return *reinterpret_cast<ControlBlock*>(replies_.bytes().data());
}

std::span<std::byte> Isolate::replies_of(std::size_t index) const noexcept {
  return replies_.bytes().subspan(Layout::control_bytes + index * options_.layout.reply_bytes,
                                  options_.layout.reply_bytes);
}

Result<bool> Isolate::submit(const Request& request) {
  const std::size_t reserved = request.reply_limit;
  if (reserved > options_.layout.reply_bytes) return false;
  while (!given_up_) {
    Batch& batch = batches_[built_ % 2];
    const auto buffer = requests_.bytes().subspan((built_ % 2) * options_.layout.request_bytes,
                                                  options_.layout.request_bytes);
    WireWriter writer(buffer.subspan(batch.request_used));
    writer.number(std::uint32_t{0});
    write_request(writer, request, claim_.infers);
    const bool fits = writer.fits() && batch.reply_reserved + reserved <= options_.layout.reply_bytes;
    if (fits && batch.requests < largest_batch(built_)) {
      writer.patch(0, static_cast<std::uint32_t>(writer.used() - sizeof(std::uint32_t)));
      batch.request_used += writer.used();
      batch.reply_reserved += reserved;
      ++batch.requests;
      return true;
    }
    if (batch.requests == 0) return false;
    if (auto handed = hand_over(); !handed) return handed.error();
  }
  return true;
}

Result<Done> Isolate::finish() {
  if (!given_up_ && batches_[built_ % 2].requests > 0) {
    if (auto handed = hand_over(); !handed) return handed;
  }
  while (!given_up_ && built_ != collected_) {
    if (auto collected = collect_oldest(); !collected) return collected;
  }
  return Done{};
}

Result<Done> Isolate::hand_over() {
  if (std::exchange(is_used_up_, false)) {
    if (auto next = restart_with_rest(); !next) return next;
  }
  Batch& batch = batches_[built_ % 2];
  batch.asked = batch.requests;
  Slot& slot = control().slots[built_ % 2];
  slot.first.store(0);
  slot.answered.store(0);
  slot.reply_used.store(0);
  slot.state_changed.store(0);
  slot.only_first.store(0);
  // When changed processes are kept, whole batches are checked at once.
  batch.looks_at_each = changes_ >= processes_for_changes;
  slot.look.store(batch.looks_at_each ? Look::at_each : Look::at_end);
  slot.count.store(static_cast<std::uint32_t>(batch.requests));
  ++built_;
  futex_ring(control().submitted);
  // The next batch goes into the other buffer, which must have been read to its end.
  return built_ - collected_ >= 2 ? collect_oldest() : Result<Done>(Done{});
}

Result<Done> Isolate::collect_oldest() {
  const std::uint32_t number = collected_;
  Batch& batch = batches_[number % 2];
  const Slot& slot = control().slots[number % 2];
  while (batch.delivered < batch.requests) {
    const Waited waited = wait_for_batch(number);
    // A check after each call shows which of several left the process changed.
    const bool several = batch.asked - batch.delivered > 1;
    if (waited == Waited::answered && several && !batch.looks_at_each && slot.state_changed.load() != 0) {
      batch.looks_at_each = true;
      if (auto next = restart_with_rest(); !next) return next;
      continue;
    }
    const bool broken = waited != Waited::answered && waited != Waited::stopped;
    const std::size_t answered = slot.answered.load() - batch.replies_read;
    // Changes of the process by the calls answered before the end were not looked for, so these calls are
    // asked again first.
    if (broken && answered > 0 && !batch.looks_at_each && !batch.failed) {
      if (answered < batch.asked - batch.delivered) {
        batch.failed = failed_answer(waited);
        batch.answered_before = batch.delivered + answered;
      } else {
        batch.looks_at_each = true;
      }
      if (auto next = restart_with_rest(); !next) return next;
      continue;
    }
    const bool readable = deliver_replies(batch, slot, number % 2);
    if (readable && batch.just_changed && batch.delivered < batch.asked && waited != Waited::stopped) {
      if (auto next = restart_with_rest(); !next) return next;
      continue;
    }
    const bool unreadable = !readable || (waited == Waited::answered && batch.delivered < batch.asked);
    if (!unreadable && waited == Waited::answered) {
      if (batch.failed) {
        ++batch.delivered;
        listener_(*std::exchange(batch.failed, std::nullopt));
      }
      if (batch.delivered == batch.requests) break;
      if (auto next = restart_with_rest(); !next) return next;
      continue;
    }
    if (waited == Waited::stopped) {
      given_up_ = true;
      await_death(0);
      return Done{};
    }
    batch.failed.reset();
    // A later call may have overwritten another call's reply: asking each by itself shows which one did.
    const bool ask_again = unreadable && !batch.one_by_one;
    if (unreadable) batch.one_by_one = true;
    RawAnswer failed = failed_answer(unreadable ? Waited::unreadable : waited);
    if (!ask_again && batch.delivered < batch.asked) {
      ++batch.delivered;
      listener_(std::move(failed));
    }
    if (auto next = restart_with_rest(); !next) return next;
  }
  const bool is_used_up = batch.one_by_one || batch.just_changed || batch.answered_before > 0;
  batch = Batch{};
  ++collected_;
  if (is_used_up && built_ != collected_) return restart_with_rest();
  is_used_up_ = is_used_up;
  return Done{};
}

bool Isolate::deliver_replies(Batch& batch, const Slot& slot, std::size_t index) {
  const auto buffer = replies_of(index);
  const std::uint32_t answered = slot.answered.load(std::memory_order_acquire);
  batch.just_changed = false;
  while (batch.replies_read < answered && batch.delivered < batch.asked && !batch.just_changed) {
    WireReader reader(buffer.subspan(batch.reply_offset));
    RawAnswer answer;
    answer.reply = read_reply(reader);
    if (!answer.reply) return false;
    // Earlier calls may have taken what certile lacked: a fresh process shows it.
    const bool fails_late = answer.reply->not_possible && answers_of_child_ > 0;
    if (fails_late && changes_ < processes_for_changes) {
      ++changes_;
      batch.just_changed = true;
      return true;
    }
    ++answers_of_child_;
    // A copy of the reply is in `answer`.
    constexpr std::size_t large = std::size_t{1} << 20;
    if (reader.used() > large) SharedMemory::give_back(buffer.subspan(batch.reply_offset, reader.used()));
    batch.reply_offset += reader.used();
    ++batch.replies_read;
    ++batch.delivered;
    const bool changed = !answer.reply->changed_state.empty();
    answer.only_first_changed = changed && slot.only_first.load() != 0;
    // The next call must not meet this one's changes, as long as there are not too many of them.
    batch.just_changed = changed && changes_ < processes_for_changes;
    if (batch.just_changed) ++changes_;
    // Once is enough, because each process is opened alike.
    if (!changed && !changed_by_opening_.empty())
      answer.reply->changed_state = std::exchange(changed_by_opening_, {}) + ", when it was loaded or opened";
    listener_(std::move(answer));
  }
  return true;
}

RawAnswer Isolate::failed_answer(Waited waited) {
  RawAnswer answer;
  if (waited == Waited::ended) {
    answer.end = how_it_ended();
  } else {
    answer.end.phase = control().phase.load();
    answer.end.unreadable = waited == Waited::unreadable;
    answer.end.timed_out = waited == Waited::late;
    answer.end.rig_timed_out = waited == Waited::rig_late;
    await_death(0);
  }
  answer.diagnostics = printed();
  return answer;
}

Result<Done> Isolate::restart_with_rest() {
  if (control().state.load() != ChildState::dead) await_death(0);
  restore_control();
  return start_child();
}

void Isolate::restore_control() noexcept {
  ControlBlock& shared = control();
  for (std::uint32_t number = collected_; number != built_; ++number) {
    Batch& batch = batches_[number % 2];
    batch.asked = batch.one_by_one ? std::min(batch.delivered + 1, batch.requests)
                  : batch.failed   ? batch.answered_before
                                   : batch.requests;
    Slot& slot = shared.slots[number % 2];
    slot.first.store(static_cast<std::uint32_t>(batch.delivered));
    slot.count.store(static_cast<std::uint32_t>(batch.asked));
    slot.answered.store(static_cast<std::uint32_t>(batch.replies_read));
    slot.reply_used.store(batch.reply_offset);
    slot.state_changed.store(0);
    slot.only_first.store(0);
    const Look look = changes_ < processes_for_changes ? Look::up_to_a_change : Look::at_each;
    slot.look.store(batch.looks_at_each ? look : Look::at_end);
  }
  const Batch& oldest = batches_[collected_ % 2];
  const bool stops_within = oldest.one_by_one || oldest.failed;
  shared.submitted.store(stops_within && built_ != collected_ ? collected_ + 1 : built_);
  // A batch that was fully answered is not passed to the next child.
  shared.done.store(built_ != collected_ && oldest.delivered == oldest.requests ? collected_ + 1
                                                                                : collected_);
}

Isolate::Waited Isolate::wait_for_batch(std::uint32_t number) {
  ControlBlock& shared = control();
  std::uint64_t calls_begun = shared.calls.begun.load();
  OwnTime::Duration last_progress = own_.total();
  for (;;) {
    const std::uint32_t events = shared.events.load(std::memory_order_acquire);
    if (static_cast<std::int32_t>(shared.done.load(std::memory_order_acquire) - number) > 0)
      return Waited::answered;
    if (shared.state.load() == ChildState::dead || host_is_gone()) return Waited::ended;
    if (options_.stop && options_.stop()) return Waited::stopped;
    wait_a_little(events, std::min(pause_between_checks, std::max(1, options_.time_limit)));
    // In this order: a call that is under way was counted before, so that an older count means an older call.
    const bool in_a_call = shared.calls.under_way.load(std::memory_order_acquire) != 0;
    const std::uint64_t now = shared.calls.begun.load(std::memory_order_relaxed);
    if (now != calls_begun) {
      calls_begun = now;
      last_progress = own_.total();
    }
    if (has_passed_since(last_progress, in_a_call ? options_.time_limit : options_.rig_limit))
      return in_a_call ? Waited::late : Waited::rig_late;
  }
}

void Isolate::wait_a_little(std::uint32_t events, int milliseconds) noexcept {
  const auto start = Clock::now();
  futex_wait(control().events, events, milliseconds);
  own_.add(host_, Clock::now() - start);
}

bool Isolate::has_passed_since(OwnTime::Duration begin, int milliseconds) const noexcept {
  return own_.total() - begin > std::chrono::milliseconds(milliseconds);
}

std::string Isolate::printed() const {
  return control().printed.text();
}

}  // namespace certile::conformance
