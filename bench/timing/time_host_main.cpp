#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "backends/plugin/plugin_call.hpp"
#include "backends/registry/registry.hpp"
#include "bench/timing/time_host.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/plan/tiers/random.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
namespace {

std::string refusal(backends::Status status, const std::string& message) {
  const char* const kind = status == backends::Status::rejected      ? "rejected "
                           : status == backends::Status::unsupported ? "unsupported "
                                                                     : "failed ";
  return kind + conformance::printable(message);
}

std::string refusal(const Error& error) {
  return refusal(error.code == Error::Code::rejected ? backends::Status::rejected : backends::Status::failed,
                 error.what);
}

// Fills the output with random bytes, so that unwritten ones are wrong.
void scramble(std::span<std::byte> bytes, std::uint64_t seed) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof seed) {
    const std::uint64_t value = mix(seed + at);
    std::memcpy(bytes.data() + at, &value, std::min(sizeof value, bytes.size() - at));
  }
}

void say(int descriptor, std::string line) {
  line += '\n';
  for (std::size_t said = 0; said < line.size();) {
    const ssize_t written = write(descriptor, line.data() + said, line.size() - said);
    if (written <= 0) _exit(1);
    said += static_cast<std::size_t>(written);
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Server {
 public:
  Server(backends::Plugin backend, int answers) : backend_(std::move(backend)), answers_(answers) {}

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "case") return open(line.substr(command.size() + 1));
    if (!memory_) return "failed there is no case";
    if (command == "answer") {
      std::string path;
      std::uint64_t seed = 0;
      words >> path >> seed;
      return write_answer(path, seed);
    }
    std::string temperature;
    std::int64_t calls = 0;
    words >> temperature >> calls;
    return time(temperature == "cold" ? Temperature::cold : Temperature::hot, calls);
  }

 private:
  std::string open(const std::string& literal) {
    memory_.reset();
    const auto question = parse_case(literal);
    if (!question) return refusal(question.error());
    auto memory = CaseMemory::make(*question);
    if (!memory) return refusal(memory.error());
    memory_ = *std::move(memory);
    return "done";
  }

  std::string write_answer(const std::string& path, std::uint64_t seed) {
    const MutableTensorView output = memory_->output();
    const backends::PluginCall call(memory_->call());
    if (backend_.claim().infers) {
      const backends::Inferred inferred = backend_.infer(call);
      if (inferred.status != backends::Status::ok) return refusal(inferred.status, inferred.message);
      if (!std::ranges::equal(inferred.shape, output.shape)) return "failed it infers another shape";
    }
    scramble(output.bytes, seed);
    const backends::Ran ran = backend_.run(call, backends::c_tensor(output));
    if (ran.status != backends::Status::ok) return refusal(ran.status, ran.message);
    if (ran.changed_descriptor()) return "failed it changed the output's description";
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return "failed there is no memory for the answer";
    auto shared =
        conformance::SharedMemory::map(descriptor, std::min(output.bytes.size(), answer_piece), true);
    if (!shared) return refusal(shared.error());
    for (std::span<std::byte> left = output.bytes; !left.empty();) {
      const std::size_t size = std::min(left.size(), answer_piece);
      std::memcpy(shared->bytes().data(), left.data(), size);
      left = left.subspan(size);
      say(answers_, "piece");
      if (std::string next; !std::getline(std::cin, next)) _exit(0);
    }
    return "done";
  }

  std::string time(Temperature temperature, std::int64_t calls) {
    const backends::PluginCall call(memory_->call());
    const certile_tensor output = backends::c_tensor(memory_->output());
    backends::Ran ran = backend_.run(call, output);
    double seconds = 0, processors = 0;
    if (temperature == Temperature::hot) {
      const double processors_before = seconds_of_processors();
      const auto start = std::chrono::steady_clock::now();
      for (std::int64_t done = 0; done < calls && ran.status == backends::Status::ok; ++done)
        ran = backend_.run(call, output);
      seconds = seconds_since(start);
      processors = seconds_of_processors() - processors_before;
    } else {
      for (std::int64_t done = 0; done < calls && ran.status == backends::Status::ok; ++done) {
        memory_->flush();
        const double processors_before = seconds_of_processors();
        const auto start = std::chrono::steady_clock::now();
        ran = backend_.run(call, output);
        seconds += seconds_since(start);
        processors += seconds_of_processors() - processors_before;
      }
    }
    if (ran.status != backends::Status::ok) return refusal(ran.status, ran.message);
    std::ostringstream took;
    took.precision(12);
    took << "took " << seconds << ' ' << processors;
    return took.str();
  }

  backends::Plugin backend_;
  int answers_;
  std::unique_ptr<CaseMemory> memory_;
};

}  // namespace

int time_host_main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  // The backend's own output must not look like an answer.
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 16);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  auto backend = backends::open_backend(arguments[2]);
  if (!backend) {
    say(answers, "refused " + conformance::printable(backend.error().what));
    return 1;
  }
  const backends::Claim claim = backend->claim();
  std::vector<std::string> definitions;
  for (const DefinitionId definition : claim.definitions)
    definitions.emplace_back(name(definition));
  say(answers,
      "greeting " + conformance::joined(definitions, ",") + " " + conformance::printable_name(claim.version));
  Server server(*std::move(backend), answers);
  for (std::string line; std::getline(std::cin, line);)
    say(answers, server.answer(line));
  // Ends without waiting for the backend's threads.
  _exit(0);
}

}  // namespace certile::bench
