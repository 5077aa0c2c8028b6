#include "conformance/ask/worker_asker.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/environment.hpp"
#include "conformance/ask/process/loaded_files.hpp"

namespace certile::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t requests_at_first = 16, most_requests = 256;  // few at first: a run may stop soon
constexpr std::size_t most_messages = 1024, most_bytes = std::size_t{4} << 20;
constexpr auto pause_between_stops = 50ms;  // between two calls of `stop`
constexpr auto probe_limit = 3s;
constexpr std::chrono::nanoseconds shortest_sleep = 50us, longest_sleep = 5ms;

}  // namespace

WorkerAsker::WorkerAsker(const IsolateOptions& options)
    : options_(options),
      processes_(options),
      worker_(
          in_environment(*backends::worker_command(options.spelling), options.environment),
          [this](const std::string& command) { return processes_.start(command); },
          [this] { return is_interrupted(); }),
      window_(requests_at_first) {}

bool WorkerAsker::is_interrupted() const {
  return options_.interrupted != nullptr && options_.interrupted->load();
}

Result<std::unique_ptr<Asker>> WorkerAsker::start(const IsolateOptions& options) {
  std::unique_ptr<WorkerAsker> asker(new WorkerAsker(options));
  if (auto started = asker->start_worker(); !started) return started.error();
  asker->note_loaded();
  asker->claim_ = asker->worker_.claim();
  return std::unique_ptr<Asker>(std::move(asker));
}

Result<Done> WorkerAsker::start_worker() {
  if (worker_.is_running()) return Done{};
  if (is_interrupted())
    return Error{Error::Code::io, "cannot start a process for " + options_.spelling + ": interrupted"};
  const auto start = Clock::now();
  if (auto started = worker_.start(); !started) return started;
  has_answered_ = false;
  last_answer_ = Clock::now();
  own_.add(processes_.host(), last_answer_ - start);
  attentive_since_ = own_.total();
  return Done{};
}

Result<bool> WorkerAsker::submit(const Request& request) {
  if (given_up_) return true;
  asked_.push_back({WorkerCalls(request, worker_.claim().infers)});
  // As many again are prepared while the worker answers these.
  if (asked_.size() < 2 * window_) return true;
  if (auto waited = wait_until(window_); !waited) return waited.error();
  window_ = std::min(2 * window_, most_requests);
  return true;
}

Result<Done> WorkerAsker::finish() {
  return wait_until(0);
}

Result<Done> WorkerAsker::wait_until(std::size_t left) {
  attentive_since_ = own_.total();
  while (asked_.size() > left && !given_up_) {
    if (auto running = start_worker(); !running) return running;
    send_more();
    deliver_complete();
    if (asked_.size() <= left) break;
    hear();
    deliver_complete();
    if (asked_.size() > left && options_.stop && options_.stop()) give_up();
  }
  return Done{};
}

bool WorkerAsker::has_room(std::size_t size) const noexcept {
  if (on_way_.empty()) return true;
  std::size_t limit = 1;
  if (ahead_ == Ahead::possible) limit = most_messages;
  if (ahead_ == Ahead::unknown && has_answered_) limit = 2;
  return on_way_.size() < limit && bytes_on_way_ + size <= most_bytes;
}

void WorkerAsker::send_more() {
  while (next_ < asked_.size() && send_calls(asked_[next_], delivered_ + next_))
    ++next_;
  worker_.push();
}

bool WorkerAsker::send_calls(Asked& asked, std::size_t number) {
  for (; asked.sent < asked.calls.count(); ++asked.sent) {
    const auto due = asked.calls.due(asked.sent);
    if (due == WorkerCalls::Due::no) continue;
    if (due == WorkerCalls::Due::open && !asked.calls.may_go_ahead()) return false;
    if (!has_room(asked.calls.size())) return false;
    backends::MessageWriter message;
    asked.calls.add_to(message, asked.sent);
    worker_.post(std::move(message));
    if (on_way_.empty()) attentive_since_ = own_.total();
    on_way_.push_back({number, asked.sent, asked.calls.size(), !on_way_.empty()});
    bytes_on_way_ += asked.calls.size();
    ++asked.on_way;
  }
  return true;
}

void WorkerAsker::hear() {
  auto heard = worker_.heard();
  if (!heard) {
    sleep_a_little();
    worker_.push();
    heard = worker_.heard();
  }
  if (!heard) {
    const auto start = Clock::now();
    heard = worker_.hear(start + std::min<Clock::duration>(pause_between_stops, options_.time_limit * 1ms));
    own_.add(processes_.host(), Clock::now() - start);
  }
  std::size_t answers = 0;
  for (; heard && *heard; ++answers) {
    take(**heard);
    heard = on_way_.empty() ? std::nullopt : worker_.heard();
  }
  if (answers > 0) {
    note_pace(answers);
    attentive_since_ = own_.total();
  }
  if (heard) return lose(heard->error());
  if (answers == 0 && is_late()) lose(worker_.give_up());
}

// Sleeps until about half of the answers exist, because each one would wake this process.
void WorkerAsker::sleep_a_little() const {
  const auto time = std::min<std::chrono::nanoseconds>(pace_ * (on_way_.size() / 2), longest_sleep);
  if (time >= shortest_sleep) std::this_thread::sleep_for(time);
}

void WorkerAsker::note_pace(std::size_t answers) {
  const auto now = Clock::now();
  const std::chrono::nanoseconds each = (now - last_answer_) / answers;
  // If the worker has nothing left to do, it was quicker than that.
  pace_ = on_way_.empty() ? std::min(pace_, each) / 2 : each;
  last_answer_ = now;
}

void WorkerAsker::take(const backends::Message& answer) {
  const Flight flight = on_way_.front();
  on_way_.pop_front();
  bytes_on_way_ -= flight.size;
  has_answered_ = true;
  if (flight.is_behind && ahead_ == Ahead::unknown) ahead_ = Ahead::possible;
  Asked& each = asked(flight.number);
  each.calls.take(flight.call, answer);
  each.answered = flight.call + 1;
  --each.on_way;
}

// Returns true for the first message sent behind another, which shows if the worker reads only one message at
// a time.
bool WorkerAsker::is_probe() const noexcept {
  return ahead_ == Ahead::unknown && (on_way_.size() > 1 || on_way_.front().is_behind);
}

bool WorkerAsker::is_late() const {
  Clock::duration limit = options_.time_limit * 1ms;
  if (is_probe()) limit = std::min<Clock::duration>(limit, probe_limit);
  return own_.total() - attentive_since_ > limit;
}

void WorkerAsker::lose(const Error& why) {
  const Flight oldest = on_way_.front();
  const bool was_probe = is_probe();
  on_way_.clear();
  bytes_on_way_ = 0;
  processes_.clear();
  next_ = 0;
  for (Asked& each : asked_) {
    each.on_way = 0;
    each.sent = each.answered;
  }
  if (was_probe) {
    ahead_ = Ahead::not_possible;
    return;
  }
  Asked& each = asked(oldest.number);
  each.answered = each.sent = oldest.call + 1;
  if (each.calls.due(oldest.call) != WorkerCalls::Due::yes) return;
  if (worker_.lost() == backends::Worker::Lost::unreadable) return each.calls.fail(oldest.call, why);
  RawAnswer answer;
  answer.diagnostics = printed();
  answer.end.phase = each.calls.is_infer(oldest.call) ? Phase::infer : Phase::first_run;
  answer.end.timed_out = worker_.lost() == backends::Worker::Lost::late;
  if (worker_.lost() == backends::Worker::Lost::ended) {
    const int status = *worker_.wait_status();
    if (WIFSIGNALED(status)) answer.end.signal = WTERMSIG(status);
    if (WIFEXITED(status)) answer.end.exit_code = WEXITSTATUS(status);
  }
  deliver(std::move(answer));
}

void WorkerAsker::give_up() {
  given_up_ = true;
  if (worker_.is_running()) static_cast<void>(worker_.give_up());
  processes_.clear();
  on_way_.clear();
  bytes_on_way_ = 0;
  asked_.clear();
  next_ = 0;
}

void WorkerAsker::deliver_complete() {
  while (!asked_.empty() && asked_.front().on_way == 0 &&
         asked_.front().sent == asked_.front().calls.count()) {
    RawAnswer answer;
    answer.reply = asked_.front().calls.take_reply();
    deliver(std::move(answer));
  }
}

void WorkerAsker::deliver(RawAnswer answer) {
  asked_.pop_front();
  ++delivered_;
  if (next_ > 0) --next_;
  listener_(std::move(answer));
}

Result<Done> WorkerAsker::restart() {
  close();
  asked_.clear();
  on_way_.clear();
  delivered_ = next_ = bytes_on_way_ = 0;
  window_ = requests_at_first;
  given_up_ = false;
  return start_worker();
}

void WorkerAsker::note_loaded() const {
  if (options_.loaded != nullptr && worker_.is_running()) options_.loaded->note(processes_.host());
}

std::optional<ChildEnd> WorkerAsker::close() {
  note_loaded();
  worker_.end();
  processes_.clear();
  return std::nullopt;  // the protocol has no answer to the end of its input, so none can be wrong
}

}  // namespace certile::conformance
