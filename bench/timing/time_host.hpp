#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/worker/process.hpp"
#include "bench/timing/batch.hpp"
#include "bench/timing/contestant.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

// A separate process in which one backend is called: `certile-bench time-host BACKEND`.  It makes the tensors
// of a case itself, from the literal, calls, flushes and reads the clock; this class receives the results. A
// crash, an exit or a call that takes too long loses one answer; the next case gets a new process.
class TimeHost {
 public:
  struct Options {
    std::string program = "/proc/self/exe";  // a certile-bench
    std::string spelling;                    // BACKEND
    std::chrono::milliseconds start_limit{20'000};
    std::chrono::milliseconds call_limit{60'000};  // of one call; a batch has as much for each of its calls
  };
  explicit TimeHost(Options options) : options_(std::move(options)) {}

  // The backend's version and the definitions that it claims.
  struct Greeting {
    std::string version;
    std::vector<DefinitionId> definitions;
  };
  // Starts the process if none runs.
  Result<Greeting> start();
  // Makes the tensors of a case.
  Result<Done> open_case(const std::string& literal);
  // Makes `infer` and then `run` fill an output of `bytes` bytes, which were random before, and passes the
  // result to the listener piece by piece.  Waits for `run` no longer than `patience`.  Errors: rejected,
  // unsupported, io (it took longer), backend_failed (any other failure).
  using Listener = std::function<void(std::span<const std::byte> piece)>;
  Result<Done> answer(std::size_t bytes, std::uint64_t seed, std::chrono::milliseconds patience,
                      const Listener& listener);
  // Times one batch of the open case.
  Result<Sample> time(std::int64_t calls, Temperature temperature);
  // Ends the process; the next case gets a new one.
  void end() noexcept { process_.reset(); }

 private:
  Result<std::string> ask(const std::string& line, std::chrono::milliseconds limit);
  void say(const std::string& line, std::chrono::milliseconds limit);
  Result<std::string> reply(std::chrono::milliseconds limit);

  Options options_;
  std::unique_ptr<backends::Process> process_;
  Greeting greeting_;
};

// The bytes of an answer in one piece.
inline constexpr std::size_t answer_piece = std::size_t{16} << 20;

// Runs the process itself.  Its only argument is BACKEND; requests arrive on standard input, one per line,
// and each is answered by a line:
//   (at the start)      greeting OPERATOR,OPERATOR TEXT, the version | refused TEXT
//   case LITERAL        done | …
//   answer PATH SEED    piece: the file at PATH holds the next 16 MiB of the output, and is read by when
//                       the line `next` comes; after the last  done | …
//   time hot|cold N     took SECONDS PROCESSOR-SECONDS, of all N calls | …
// where … is rejected TEXT, unsupported TEXT or failed TEXT.
int time_host_main(int argument_count, char** arguments);

}  // namespace certile::bench
