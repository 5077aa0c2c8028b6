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
// Batches double while they are answered within `quick`, so runtimes that need long for each call are asked
// one call at a time.
constexpr auto quick = 40ms, slow = 200ms;
constexpr auto batch_limit = 3s;
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
  asker->claim_ = asker->worker_.hello().claim;
  return std::unique_ptr<Asker>(std::move(asker));
}

Result<Done> WorkerAsker::start_worker() {
  if (worker_.is_running()) return Done{};
  if (is_interrupted())
    return Error{Error::Code::io, "cannot start a process for " + options_.spelling + ": interrupted"};
  const auto start = Clock::now();
  if (auto started = worker_.start(); !started) return started;
  has_answered_ = false;
  is_fresh_ = true;
  last_answer_ = Clock::now();
  own_.add(processes_.keeper(), last_answer_ - start);
  attentive_since_ = own_.total();
  return Done{};
}

Result<bool> WorkerAsker::submit(const Request& request) {
  if (given_up_) return true;
  asked_.push_back({WorkerCalls(request, worker_.hello().claim.infers)});
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
    send_more(left == 0);
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

void WorkerAsker::note_sent(Flight flight) {
  flight.is_behind = !on_way_.empty();
  if (on_way_.empty()) attentive_since_ = own_.total();
  flight.sent = Clock::now();
  bytes_on_way_ += flight.size;
  on_way_.push_back(flight);
}

void WorkerAsker::send_more(bool all) {
  for (; next_ < asked_.size(); ++next_) {
    Asked& each = asked_[next_];
    // A first call that is alone shows whether it ends every process.
    if (std::exchange(is_fresh_, false)) each.by_itself = true;
    const bool in_batch = worker_.hello().batch > 1 && !each.by_itself && each.sent == 0 &&
                          each.calls.count() > 1 && each.calls.may_go_ahead();
    if (!(in_batch ? send_batch(all) : send_calls(each, delivered_ + next_))) break;
  }
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
    note_sent({.first = number, .call = asked.sent, .size = asked.calls.size()});
    ++asked.on_way;
  }
  return true;
}

bool WorkerAsker::send_batch(bool all) {
  const std::size_t limit = std::min(together_, worker_.hello().batch);
  std::size_t end = next_, calls = 0, size = 0;
  for (; end < asked_.size(); ++end) {
    const Asked& each = asked_[end];
    if (each.by_itself || each.sent > 0 || !each.calls.may_go_ahead()) break;
    if (end > next_ && (calls + each.calls.count() > limit || size > most_bytes)) break;
    calls += each.calls.count();
    size += each.calls.count() * each.calls.size();
  }
  const bool is_full = end < asked_.size();
  if (!is_full && !all && !on_way_.empty()) return false;
  const bool two_wait = on_way_.size() > 1 && on_way_[on_way_.size() - 2].requests > 0;
  if (two_wait || !has_room(size)) return false;
  backends::MessageWriter message;
  std::size_t number = 0;
  for (std::size_t index = next_; index < end; ++index) {
    Asked& each = asked_[index];
    for (; each.sent < each.calls.count(); ++each.sent) {
      message.set_prefix(std::to_string(number++) + ".");
      each.calls.add_to(message, each.sent);
    }
    each.on_way = 1;
  }
  message.set_prefix({});
  message.say("batch", std::to_string(calls));
  worker_.post(std::move(message));
  note_sent({.first = delivered_ + next_, .requests = end - next_, .size = size});
  next_ = end - 1;
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
    own_.add(processes_.keeper(), Clock::now() - start);
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
  if (on_way_.front().requests > 0) return;
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
  if (flight.requests > 0) return take_batch(flight, answer);
  Asked& each = asked(flight.first);
  each.calls.take(flight.call, answer, "");
  each.answered = flight.call + 1;
  --each.on_way;
}

void WorkerAsker::take_batch(const Flight& flight, const backends::Message& answer) {
  if (answer.word("0.status") == nullptr) return ask_each_by_itself(flight);
  std::size_t number = 0;
  for (std::size_t index = flight.first; index < flight.first + flight.requests; ++index) {
    Asked& each = asked(index);
    for (; each.answered < each.calls.count(); ++each.answered)
      each.calls.take(each.answered, answer, std::to_string(number++) + ".");
    each.on_way = 0;
  }
  const auto now = Clock::now();
  const auto taken = now - std::max(flight.sent, last_answer_);
  last_answer_ = now;
  if (taken < quick) together_ = std::min(worker_.hello().batch, 2 * std::max(together_, number));
  if (taken > slow) together_ = std::max<std::size_t>(1, number / 2);
}

void WorkerAsker::ask_each_by_itself(const Flight& flight) {
  together_ = 1;
  for (std::size_t index = flight.first; index < flight.first + flight.requests; ++index) {
    Asked& each = asked(index);
    each.calls.start_again();
    each.sent = each.answered = each.on_way = 0;
    each.by_itself = true;
  }
  next_ = std::min(next_, flight.first - delivered_);
}

// Returns true for the first message sent behind another, which shows if the worker reads only one message at
// a time.
bool WorkerAsker::is_probe() const noexcept {
  return ahead_ == Ahead::unknown && (on_way_.size() > 1 || on_way_.front().is_behind);
}

bool WorkerAsker::is_late() const {
  const Flight& oldest = on_way_.front();
  Clock::duration limit = options_.time_limit * 1ms;
  if (oldest.requests > 0) limit = batch_limit;
  if (is_probe()) limit = std::min<Clock::duration>(limit, batch_limit);
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
  if (oldest.requests > 0) return ask_each_by_itself(oldest);
  if (was_probe) {
    ahead_ = Ahead::not_possible;
    return;
  }
  Asked& each = asked(oldest.first);
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
  if (options_.loaded != nullptr && worker_.is_running()) options_.loaded->note(processes_.keeper());
}

std::optional<ChildEnd> WorkerAsker::close() {
  note_loaded();
  worker_.end();
  processes_.clear();
  return std::nullopt;  // the protocol has no answer to the end of its input, so none can be wrong
}

}  // namespace certile::conformance
