#include "backends/worker/worker.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace certile::backends {
namespace {

using namespace std::chrono_literals;

constexpr int tries = 3;
constexpr auto start_limit = 55s;  // for all attempts
constexpr auto farewell_limit = 1s;
constexpr auto pause_between_stops = 100ms;     // between two calls of `stop`
constexpr std::size_t largest_compared = 4096;  // bytes of an answer
// A wrong answer may be larger than a right one, and is judged, not refused, as long as it costs little.
constexpr std::size_t answer_slack = std::size_t{64} << 20;

}  // namespace

void Worker::end() {
  if (!process_) return;
  MessageWriter bye;
  bye.say("cmd", "bye");
  if (!ask(std::move(bye), Clock::now() + farewell_limit)) return;
  process_->close(Clock::now() + farewell_limit);
  last_words_ = process_->diagnostics();
  process_.reset();
}

Error Worker::lose(Lost why, std::string sentence) {
  lost_ = why;
  wait_status_ =
      meant_by_shell(why == Lost::ended ? process_->close(Clock::now() + farewell_limit) : process_->kill());
  last_words_ = process_->diagnostics();
  process_.reset();
  if (why == Lost::ended) sentence += "with " + end_words(*wait_status_);
  return {Error::Code::backend_failed, std::move(sentence)};
}

Error Worker::give_up() {
  std::string sentence = "the worker did not answer in time";
  if (const std::size_t came = process_->inbox().size(); came > 0)
    sentence +=
        "; " + std::to_string(came) +
        " bytes of an answer arrived: flush after each message, and write as many bytes as its header says";
  return lose(Lost::late, std::move(sentence));
}

void Worker::post(MessageWriter message) {
  lost_ = Lost::nothing;
  wait_status_.reset();
  has_excess_ = has_excess_ || (awaited_.empty() && !process_->inbox().empty());
  awaited_.push_back(++sequence_);
  answered_.push_back(message.answered());
  last_answered_ = message.answered();
  message.say_name("seq", std::to_string(sequence_));
  const std::size_t begin = outgoing_.size();
  message.append_to(outgoing_);
  last_message_.assign(outgoing_.begin() + static_cast<std::ptrdiff_t>(begin), outgoing_.end());
}

bool Worker::post_again() {
  constexpr std::string_view key = "\"seq\":\"";
  const std::string before = std::to_string(sequence_), now = std::to_string(sequence_ + 1);
  const std::string_view text(reinterpret_cast<const char*>(last_message_.data()), last_message_.size());
  const std::size_t at = text.find(key);
  if (at == text.npos || before.size() != now.size()) return false;
  std::ranges::copy(std::as_bytes(std::span(now)),
                    last_message_.begin() + static_cast<std::ptrdiff_t>(at + key.size()));
  awaited_.push_back(++sequence_);
  answered_.push_back(last_answered_);
  outgoing_.insert(outgoing_.end(), last_message_.begin(), last_message_.end());
  return true;
}

void Worker::note_sent(std::span<const std::byte> unsent) noexcept {
  sent_ = outgoing_.size() - unsent.size();
  if (!unsent.empty()) return;
  outgoing_.clear();
  sent_ = 0;
}

void Worker::push() {
  auto left = unsent();
  process_->look(left);
  note_sent(left);
}

// Takes an answer equal to the one before, as both runs of a case mostly have, without reading it again.
bool Worker::takes_repeated_answer() {
  const auto inbox = process_->inbox();
  if (number_at_ == 0 || coming_ || inbox.size() < last_answer_.size()) return false;
  const std::string number = std::to_string(awaited_.front());
  const std::span<const std::byte> last(last_answer_);
  const std::size_t behind = number_at_ + number.size();
  if (behind >= last.size() || last[behind] != std::byte{'"'}) return false;
  const auto is_same = [](std::span<const std::byte> left, std::span<const std::byte> right) {
    return std::memcmp(left.data(), right.data(), left.size()) == 0;
  };
  if (!is_same(last.first(number_at_), inbox) ||
      !is_same(std::as_bytes(std::span(number)), inbox.subspan(number_at_)) ||
      !is_same(last.subspan(behind), inbox.subspan(behind)))
    return false;
  process_->drop(last_answer_.size());
  awaited_.pop_front();
  answered_.pop_front();
  return true;
}

std::optional<Result<Worker::Answer>> Worker::read_answer() {
  if (has_excess_)
    return lose(Lost::unreadable,
                "there are bytes between two answers; did your program print to stdout, or write "
                "more than its header says?");
  if (takes_repeated_answer()) return Answer{&answer_, true};
  const auto inbox = process_->inbox();
  if (!coming_) {
    // One byte more than the length: if it is not '{', no one need wait for the rest.
    needed_ = prefix_size + 1;
    if (inbox.size() < prefix_size) return std::nullopt;
    const auto size = Message::header_size(inbox);
    if (!size) return lose(Lost::unreadable, size.error().what);
    if (inbox.size() < needed_) return std::nullopt;
    if (inbox[prefix_size] != std::byte{'{'})
      return lose(Lost::unreadable, Message::from_header("no brace").error().what);
    needed_ = prefix_size + *size;
    if (inbox.size() < needed_) return std::nullopt;
    auto message = Message::from_header({reinterpret_cast<const char*>(inbox.data()) + prefix_size, *size});
    if (!message) return lose(Lost::unreadable, message.error().what);
    if (const std::size_t body = message->body_size(), most = answered_.front() + answer_slack; body > most)
      return lose(Lost::unreadable, "the answer would have " + std::to_string(body) +
                                        " bytes of tensors, and an answer to this message has at most " +
                                        std::to_string(most));
    coming_ = *std::move(message);
    last_answer_.clear();
    if (needed_ + coming_->body_size() <= largest_compared)
      last_answer_.assign(inbox.begin(), inbox.begin() + static_cast<std::ptrdiff_t>(needed_));
    process_->drop(needed_);
  }
  needed_ = coming_->body_size();
  if (process_->inbox().size() < needed_) return std::nullopt;
  if (needed_ > 0) {
    std::vector<std::byte> body = process_->take(needed_);
    if (!last_answer_.empty()) last_answer_.insert(last_answer_.end(), body.begin(), body.end());
    coming_->take_body(std::move(body));
  }
  answer_ = *std::move(coming_);
  coming_.reset();
  return checked();
}

Result<Worker::Answer> Worker::checked() {
  const std::string number = std::to_string(awaited_.front());
  awaited_.pop_front();
  answered_.pop_front();
  const std::string* echoed = answer_.word("seq");
  if (echoed == nullptr || *echoed != number)
    return lose(Lost::unreadable, "the answer has seq '" +
                                      (echoed == nullptr ? std::string() : echoed->substr(0, 40)) +
                                      "' where '" + number +
                                      "' was asked; send back the seq of each message, "
                                      "unchanged, and answer each message once");
  const std::string_view text(reinterpret_cast<const char*>(last_answer_.data()), last_answer_.size());
  number_at_ = 0;
  for (const std::string_view key : {"\"seq\":\"", "\"seq\": \""})
    if (const std::size_t at = text.find(key); at != text.npos) number_at_ = at + key.size();
  return Answer{&answer_, false};
}

std::optional<Result<Worker::Answer>> Worker::heard() {
  return awaited_.empty() ? std::nullopt : read_answer();
}

std::optional<Result<Worker::Answer>> Worker::hear(Clock::time_point until) {
  for (;;) {
    if (auto answer = heard()) return answer;
    auto left = unsent();
    const auto how = process_->receive(needed_, until, left);
    note_sent(left);
    if (how == Process::Exchange::late) return std::nullopt;
    if (how == Process::Exchange::done) continue;
    if (auto answer = read_answer()) return answer;  // the result may be an error
    return lose(Lost::ended, "the worker ended ");
  }
}

Result<Message> Worker::wait_for_answer(Clock::time_point deadline) {
  for (;;) {
    if (auto answer = hear(std::min(deadline, Clock::now() + pause_between_stops))) {
      if (!*answer) return answer->error();
      number_at_ = 0;  // the answer is moved out
      return std::move(answer_);
    }
    if (Clock::now() >= deadline || (stop_ && stop_())) return give_up();
  }
}

Result<Message> Worker::ask(MessageWriter message, Clock::time_point deadline) {
  post(std::move(message));
  push();
  return wait_for_answer(deadline);
}

Result<Done> Worker::start_once(Clock::time_point deadline) {
  auto started = starter_(command_);
  if (!started) return started.error();
  process_ = *std::move(started);
  awaited_.clear();
  answered_.clear();
  outgoing_.clear();
  sent_ = 0;
  coming_.reset();
  number_at_ = 0;
  has_excess_ = false;
  auto reply = ask(hello_message(), deadline);
  if (!reply) return reply.error();
  process_->find_life();
  const std::string* status = reply->word("status");
  if (status == nullptr || *status != "ok") {
    const std::string* why = reply->word("why");
    return lose(Lost::unreadable, "its answer to hello has the status '" +
                                      (status == nullptr ? std::string() : status->substr(0, 40)) + "'" +
                                      (why == nullptr ? std::string() : ": " + why->substr(0, 400)));
  }
  auto hello = read_hello(*reply);
  if (!hello) return lose(Lost::unreadable, hello.error().what);
  if (!hello_.claim.name.empty() && *hello != hello_)
    return lose(Lost::unreadable, "its claim differs from the one of its first start");
  hello_ = *std::move(hello);
  return Done{};
}

Result<Done> Worker::start() {
  if (process_) return Done{};
  const auto deadline = Clock::now() + start_limit;
  Error last{Error::Code::io, {}};
  int attempt = 0;
  while (attempt < tries && Clock::now() < deadline) {
    ++attempt;
    auto started = start_once(deadline);
    if (started) return started;
    last = started.error();
    // A wrong message will be as wrong the next time; an end may have had passing reasons.
    if (lost_ != Lost::ended) break;
  }
  std::string sentence = "worker:" + command_ + " did not start";
  if (attempt > 1) sentence += ", " + std::to_string(attempt) + " times in a row";
  sentence += ": " + last.what;
  if (lost_ == Lost::ended) sentence += " before it answered hello";
  if (const std::string words = printed_words(last_words_); !words.empty()) sentence += "; " + words;
  return Error{Error::Code::io, std::move(sentence)};
}

}  // namespace certile::backends
