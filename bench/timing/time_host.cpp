#include "bench/timing/time_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
namespace {

Error failed(std::string what) {
  return {Error::Code::backend_failed, std::move(what)};
}

std::string in_quotes(const std::string& word) {
  std::string quoted = "'";
  for (const char each : word)
    quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return quoted + "'";
}

// Returns the program by a name that means the same in another process.
std::string resolved(const std::string& program) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::canonical(program, ignored);
  return path.empty() ? program : path.string();
}

}  // namespace

Result<TimeHost::Greeting> TimeHost::start() {
  if (process_) return greeting_;
  auto process = backends::Process::start(
      "exec " + in_quotes(resolved(options_.program)) + " time-host " + in_quotes(options_.spelling),
      backends::Process::Diagnostics::kept);
  if (!process) return process.error();
  process_ = *std::move(process);
  const auto said = reply(options_.start_limit);
  if (!said) return said.error();
  const auto space = std::min(said->find(' '), said->size());
  greeting_ = {said->substr(std::min(space + 1, said->size())), {}};
  for (std::size_t at = 0; at < space;) {
    const auto comma = std::min(said->find(',', at), space);
    if (const auto definition = definition_named(said->substr(at, comma - at)))
      greeting_.definitions.push_back(*definition);
    at = comma + 1;
  }
  return greeting_;
}

Result<Done> TimeHost::open_case(const std::string& literal) {
  if (auto started = start(); !started) return started.error();
  // The time to make the data is not charged to the backend.
  auto opened = ask("case " + literal, 10 * options_.call_limit);
  if (!opened) return opened.error();
  return Done{};
}

Result<Done> TimeHost::answer(std::size_t bytes, std::uint64_t seed, std::chrono::milliseconds patience,
                              const Listener& listener) {
  auto memory = conformance::SharedMemory::create(std::min(bytes, answer_piece), false);
  if (!memory) return memory.error();
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory->descriptor());
  auto answered = ask("answer " + path + " " + std::to_string(seed), patience);
  for (std::size_t shown = 0; answered && *answered == "piece"; answered = reply(options_.call_limit)) {
    const std::size_t size = std::min(bytes - shown, answer_piece);
    listener(memory->bytes().first(size));
    shown += size;
    say("next", options_.call_limit);
  }
  if (!answered) return answered.error();
  return Done{};
}

Result<Sample> TimeHost::time(std::int64_t calls, Temperature temperature) {
  const char* const word = temperature == Temperature::hot ? "hot " : "cold ";
  const auto limit = options_.call_limit * std::min<std::int64_t>(calls + 1, 100);
  const auto took = ask(std::string("time ") + word + std::to_string(calls), limit);
  if (!took) return took.error();
  double seconds = 0, processors = 0;
  if (std::sscanf(took->c_str(), "%lf %lf", &seconds, &processors) != 2 || seconds < 0)
    return failed("its times cannot be read: " + conformance::printable(*took));
  return Sample{1e9 * seconds / static_cast<double>(calls), seconds > 0 ? processors / seconds : 0};
}

Result<std::string> TimeHost::ask(const std::string& line, std::chrono::milliseconds limit) {
  if (!process_) return failed("its process has ended");
  say(line, limit);
  return reply(limit);
}

// Sends a line.  If the process has ended, the reply reports that.
void TimeHost::say(const std::string& line, std::chrono::milliseconds limit) {
  const std::string request = line + "\n";
  std::span<const std::byte> bytes = std::as_bytes(std::span(request));
  (void)process_->send(bytes, backends::Process::Clock::now() + limit);
}

Result<std::string> TimeHost::reply(std::chrono::milliseconds limit) {
  const auto deadline = backends::Process::Clock::now() + limit;
  std::size_t length = 0;
  for (;; ++length) {
    const auto exchange = process_->receive(length + 1, deadline);
    if (exchange == backends::Process::Exchange::late) {
      process_.reset();
      return Error{Error::Code::io, "no answer within " + std::to_string(limit.count() / 1000) + " s"};
    }
    if (exchange == backends::Process::Exchange::ended) {
      const std::string how = backends::end_words(process_->kill());
      process_.reset();
      return failed("it ended its process: " + how);
    }
    if (process_->inbox()[length] == std::byte{'\n'}) break;
  }
  const std::vector<std::byte> bytes = process_->take(length + 1);
  const std::string line(reinterpret_cast<const char*>(bytes.data()), length);
  const std::string kind = line.substr(0, line.find(' '));
  const std::string rest = line.size() > kind.size() ? line.substr(kind.size() + 1) : "";
  if (kind == "greeting" || kind == "done" || kind == "took") return rest;
  if (kind == "piece") return kind;
  if (kind == "refused") process_.reset();
  if (kind == "rejected") return Error{Error::Code::rejected, rest};
  if (kind == "unsupported") return Error{Error::Code::unsupported, rest};
  return failed(rest.empty() ? "its process says what is no answer: " + conformance::printable(line) : rest);
}

}  // namespace certile::bench
