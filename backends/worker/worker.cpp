#include "backends/worker/worker.hpp"

#include <algorithm>
#include <utility>

namespace certile {
namespace {

using namespace std::chrono_literals;

constexpr int tries = 3;
constexpr auto start_limit = 25s;  // for all of them
constexpr auto farewell_limit = 1s;
constexpr auto slice = 100ms;  // between two signs of life
constexpr std::size_t prefix_size = 8;

// The last lines of a text, for a sentence.
std::string last_lines(const std::string& text) {
  constexpr std::size_t longest = 600;
  std::string end = text.substr(text.size() - std::min(text.size(), longest));
  while (!end.empty() && end.back() == '\n')
    end.pop_back();
  return end;
}

}  // namespace

Worker::~Worker() {
  if (!process_) return;
  MessageWriter bye;
  bye.say("cmd", "bye");
  if (!ask(std::move(bye), Clock::now() + farewell_limit)) return;
  process_->close(Clock::now() + farewell_limit);
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

Result<Message> Worker::exchange(const std::vector<std::byte>& bytes, Clock::time_point deadline,
                                 const std::function<void()>& alive) {
  const auto patiently = [&](auto&& step) {
    for (;;) {
      const auto outcome = step(std::min(deadline, Clock::now() + slice));
      if (outcome != Process::Exchange::late || Clock::now() >= deadline) return outcome;
      if (stop_ && stop_()) return outcome;
      if (alive) alive();
    }
  };
  const auto failure = [this](Process::Exchange how) {
    if (how == Process::Exchange::ended) return lose(Lost::ended, "the worker ended ");
    std::string sentence = "the worker did not answer in time";
    if (const std::size_t came = process_->inbox().size(); came > 0)
      sentence += "; " + std::to_string(came) +
                  " bytes of an answer came: flush after each message, and write as many "
                  "bytes as its header says";
    return lose(Lost::late, std::move(sentence));
  };
  std::span<const std::byte> unsent(bytes);
  const auto sent = patiently([&](auto until) { return process_->send(unsent, until); });
  // One that ended may have answered before it did.
  if (sent == Process::Exchange::late) return failure(sent);

  const auto receive = [&](std::size_t size) {
    return patiently([&](auto until) { return process_->receive(size, until); });
  };
  // A byte more than the length: where it is no '{', nobody need wait for the rest.
  if (const auto got = receive(prefix_size + 1); got != Process::Exchange::done) {
    const auto inbox = process_->inbox();
    const bool garbage = inbox.size() >= prefix_size && !Message::header_size(inbox);
    if (!garbage) return failure(got);
  }
  const auto prefix = process_->inbox().first(std::min(prefix_size + 1, process_->inbox().size()));
  const auto size = Message::header_size(prefix);
  if (!size) return lose(Lost::unreadable, size.error().what);
  if (prefix[prefix_size] != std::byte{'{'})
    return lose(Lost::unreadable, Message::from_header("no brace").error().what);
  if (const auto got = receive(prefix_size + *size); got != Process::Exchange::done) return failure(got);
  const std::vector<std::byte> head = process_->take(prefix_size + *size);
  auto message = Message::from_header({reinterpret_cast<const char*>(head.data()) + prefix_size, *size});
  if (!message) return lose(Lost::unreadable, message.error().what);
  if (const auto got = receive(message->body_size()); got != Process::Exchange::done) return failure(got);
  message->take_body(process_->take(message->body_size()));
  return message;
}

Result<Message> Worker::ask(MessageWriter message, Clock::time_point deadline,
                            const std::function<void()>& alive) {
  lost_ = Lost::nothing;
  wait_status_.reset();
  const std::string sequence = std::to_string(++sequence_);
  message.say("seq", sequence);
  if (!process_->inbox().empty())
    return lose(Lost::unreadable,
                "there are bytes between two answers; did your program print to stdout, or write "
                "more than its header says?");
  auto reply = exchange(message.finish(), deadline, alive);
  if (!reply) return reply;
  const std::string* echoed = reply->word("seq");
  if (echoed == nullptr || *echoed != sequence)
    return lose(Lost::unreadable, "the answer has seq '" +
                                      (echoed == nullptr ? std::string() : echoed->substr(0, 40)) +
                                      "' where '" + sequence +
                                      "' was asked; send back the seq of each message, "
                                      "unchanged, and answer each message once");
  has_answered_ = true;
  return reply;
}

Result<Done> Worker::start_once(Clock::time_point deadline, const std::function<void()>& alive) {
  auto started = Process::start(command_, diagnostics_, lives_);
  if (!started) return started.error();
  process_ = *std::move(started);
  auto reply = ask(hello_message(), deadline, alive);
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
    return lose(Lost::unreadable, "it makes another claim than when it was started first");
  hello_ = *std::move(hello);
  has_answered_ = false;
  return Done{};
}

Result<Done> Worker::start(const std::function<void()>& alive) {
  if (process_) return Done{};
  const auto deadline = Clock::now() + start_limit;
  Error last{Error::Code::io, {}};
  int attempt = 0;
  while (attempt < tries && Clock::now() < deadline) {
    ++attempt;
    auto started = start_once(deadline, alive);
    if (started) return started;
    last = started.error();
    // What it says will be as wrong the next time; an end may have had passing reasons.
    if (lost_ != Lost::ended) break;
  }
  std::string sentence = "worker:" + command_ + " did not start";
  if (attempt > 1) sentence += ", " + std::to_string(attempt) + " times in a row";
  sentence += ": " + last.what;
  if (lost_ == Lost::ended) sentence += " before it answered hello";
  if (const std::string words = last_lines(last_words_); !words.empty())
    sentence += "; its last words: " + words;
  return Error{Error::Code::io, std::move(sentence)};
}

}  // namespace certile
