#include "bench/timing/time_host.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "conformance/printable.hpp"

namespace certile {
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

// The program by a name that means the same in another process.
std::string resolved(const std::string& program) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::canonical(program, ignored);
  return path.empty() ? program : path.string();
}

}  // namespace

Result<std::string> TimeHost::start() {
  if (process_) return version_;
  auto process = Process::start(
      "exec " + in_quotes(resolved(options_.program)) + " time-host " + in_quotes(options_.spelling),
      Process::Diagnostics::kept);
  if (!process) return process.error();
  process_ = *std::move(process);
  auto greeting = reply(options_.start_limit);
  if (!greeting) return greeting.error();
  version_ = *std::move(greeting);
  return version_;
}

Result<Done> TimeHost::open_case(const std::string& literal) {
  if (auto started = start(); !started) return started.error();
  // What it takes to make the data is no affair of the backend's.
  auto opened = ask("case " + literal, 10 * options_.call_limit);
  if (!opened) return opened.error();
  return Done{};
}

Result<SharedMemory> TimeHost::answer(std::size_t bytes, std::uint64_t seed) {
  auto memory = SharedMemory::create(bytes, false);
  if (!memory) return memory.error();
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory->descriptor());
  auto answered = ask("answer " + path + " " + std::to_string(seed), options_.call_limit);
  if (!answered) return answered.error();
  return memory;
}

Result<Sample> TimeHost::time(std::int64_t calls, Temperature temperature) {
  const char* const word = temperature == Temperature::hot ? "hot " : "cold ";
  const auto limit = options_.call_limit * std::min<std::int64_t>(calls + 1, 100);
  const auto took = ask(std::string("time ") + word + std::to_string(calls), limit);
  if (!took) return took.error();
  double seconds = 0, processors = 0;
  if (std::sscanf(took->c_str(), "%lf %lf", &seconds, &processors) != 2 || seconds < 0)
    return failed("its times cannot be read: " + printable(*took));
  return Sample{1e9 * seconds / static_cast<double>(calls), seconds > 0 ? processors / seconds : 0};
}

Result<std::string> TimeHost::ask(const std::string& line, std::chrono::milliseconds limit) {
  if (!process_) return failed("its process has ended");
  const std::string request = line + "\n";
  std::span<const std::byte> bytes = std::as_bytes(std::span(request));
  // Where it ended meanwhile, the reply says so.
  (void)process_->send(bytes, Process::Clock::now() + limit);
  return reply(limit);
}

Result<std::string> TimeHost::reply(std::chrono::milliseconds limit) {
  const auto deadline = Process::Clock::now() + limit;
  std::size_t length = 0;
  for (;; ++length) {
    const auto exchange = process_->receive(length + 1, deadline);
    if (exchange == Process::Exchange::late) {
      process_.reset();
      return failed("no end of a call after " + std::to_string(limit.count() / 1000) + " s");
    }
    if (exchange == Process::Exchange::ended) {
      const std::string how = end_words(process_->kill());
      process_.reset();
      return failed("it ended its process: " + how);
    }
    if (process_->inbox()[length] == std::byte{'\n'}) break;
  }
  const std::vector<std::byte> bytes = process_->take(length + 1);
  const std::string line(reinterpret_cast<const char*>(bytes.data()), length);
  const std::string kind = line.substr(0, line.find(' '));
  const std::string rest = line.size() > kind.size() ? line.substr(kind.size() + 1) : "";
  if (kind == "version" || kind == "done" || kind == "took") return rest;
  if (kind == "refused") process_.reset();
  if (kind == "rejected") return Error{Error::Code::rejected, rest};
  if (kind == "unsupported") return Error{Error::Code::unsupported, rest};
  return failed(rest.empty() ? "its process says what is no answer: " + printable(line) : rest);
}

}  // namespace certile
