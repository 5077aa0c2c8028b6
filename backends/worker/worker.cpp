#include "backends/worker/worker.hpp"

#include <algorithm>
#include <utility>

namespace certile::backends {
namespace {

using namespace std::chrono_literals;

constexpr int tries = 3;
constexpr auto start_limit = 55s;  // for all attempts
constexpr auto farewell_limit = 1s;
constexpr auto pause_between_stops = 100ms;  // between two calls of `stop`
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
  said_.has_excess = said_.has_excess || (said_.awaited.empty() && !process_->inbox().empty());
  said_.awaited.push_back({++sequence_, message.answered()});
  message.say_name("seq", std::to_string(sequence_));
  message.append_to(said_.outgoing);
}

void Worker::note_sent(std::span<const std::byte> unsent) noexcept {
  said_.sent = said_.outgoing.size() - unsent.size();
  if (!unsent.empty()) return;
  said_.outgoing.clear();
  said_.sent = 0;
}

void Worker::push() {
  auto left = unsent();
  process_->look(left);
  note_sent(left);
}

std::optional<Result<Message>> Worker::read_answer() {
  if (said_.has_excess)
    return lose(Lost::unreadable,
                "there are bytes between two answers; did your program print to stdout, or write "
                "more than its header says?");
  const auto inbox = process_->inbox();
  if (!said_.coming) {
    // One byte more than the length: if it is not '{', no one need wait for the rest.
    said_.needed = prefix_size + 1;
    if (inbox.size() < prefix_size) return std::nullopt;
    const auto size = Message::header_size(inbox);
    if (!size) return lose(Lost::unreadable, size.error().what);
    if (inbox.size() < said_.needed) return std::nullopt;
    if (inbox[prefix_size] != std::byte{'{'})
      return lose(Lost::unreadable, Message::from_header("no brace").error().what);
    said_.needed = prefix_size + *size;
    if (inbox.size() < said_.needed) return std::nullopt;
    auto message = Message::from_header({reinterpret_cast<const char*>(inbox.data()) + prefix_size, *size});
    if (!message) return lose(Lost::unreadable, message.error().what);
    if (const std::size_t body = message->body_size(), most = said_.awaited.front().most + answer_slack;
        body > most)
      return lose(Lost::unreadable, "the answer would have " + std::to_string(body) +
                                        " bytes of tensors, and an answer to this message has at most " +
                                        std::to_string(most));
    said_.coming = *std::move(message);
    process_->drop(said_.needed);
  }
  said_.needed = said_.coming->body_size();
  if (process_->inbox().size() < said_.needed) return std::nullopt;
  Message answer = *std::exchange(said_.coming, std::nullopt);
  if (said_.needed > 0) answer.take_body(process_->take(said_.needed));
  const std::string number = std::to_string(said_.awaited.front().sequence);
  said_.awaited.pop_front();
  const std::string* echoed = answer.word("seq");
  if (echoed == nullptr || *echoed != number)
    return lose(Lost::unreadable, "the answer has seq '" +
                                      (echoed == nullptr ? std::string() : echoed->substr(0, 40)) +
                                      "' where '" + number +
                                      "' was asked; send back the seq of each message, "
                                      "unchanged, and answer each message once");
  return answer;
}

std::optional<Result<Message>> Worker::heard() {
  return said_.awaited.empty() ? std::nullopt : read_answer();
}

std::optional<Result<Message>> Worker::hear(Clock::time_point until) {
  for (;;) {
    if (auto answer = heard()) return answer;
    auto left = unsent();
    const auto how = process_->receive(said_.needed, until, left);
    note_sent(left);
    if (how == Process::Exchange::late) return std::nullopt;
    if (how == Process::Exchange::done) continue;
    if (auto answer = read_answer()) return answer;  // the result may be an error
    return lose(Lost::ended, "the worker ended ");
  }
}

Result<Message> Worker::ask(MessageWriter message, Clock::time_point deadline) {
  post(std::move(message));
  for (;;) {
    if (auto answer = hear(std::min(deadline, Clock::now() + pause_between_stops))) return *std::move(answer);
    if (Clock::now() >= deadline || (stop_ && stop_())) return give_up();
  }
}

Result<Done> Worker::start_once(Clock::time_point deadline) {
  auto started = starter_(command_);
  if (!started) return started.error();
  process_ = *std::move(started);
  said_ = {};
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
  auto claim = read_hello(*reply);
  if (!claim) return lose(Lost::unreadable, claim.error().what);
  if (!claim_.name.empty() && *claim != claim_)
    return lose(Lost::unreadable, "its claim differs from the one of its first start");
  claim_ = *std::move(claim);
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
