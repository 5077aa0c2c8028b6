#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/worker/lives.hpp"
#include "backends/worker/process.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "conformance/ask/sandbox/sandbox.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The options on the command line of `certile keep`.
struct KeepOptions {
  std::uint64_t memory_limit = 0;  // bytes that the command may write to; 0: no limit
  Sandbox sandbox;                 // of the keeper and the command
  std::string command;
};

// Returns the words before the command: "keep", the limit and the sandbox.
std::vector<std::string> keep_arguments(std::uint64_t memory_limit, const Sandbox& sandbox);
// Reads those words, and the command after them; returns nothing for other words.
std::optional<KeepOptions> parse_keep_arguments(std::span<char* const> arguments);

// Runs a worker's keeper: `certile keep LIMIT LAYERS FOLDER COMMAND`.  The keeper runs the command under
// /bin/sh with the keeper's standard streams, in a session and under a memory limit; it adopts every orphan
// that descends from the command, so that none outlives it.  The keeper ends as the command does.
//
// Descriptor Process::keeper_descriptor is a socket.  A process number in it names the fork server of a
// worker, which is kept while all other processes are ended; the keeper answers with one byte, and from then
// on ends with that process.  The end of the socket ends them all.
int run_keep(const KeepOptions& options);

// The runner's side of `certile keep`: starts a worker's processes below it, and ends them.
class Keeper {
 public:
  // Creates a keeper with the certile at `program`.  Error io if the system refuses.
  static Result<std::unique_ptr<Keeper>> create(const std::string& program, std::uint64_t memory_limit,
                                                const Sandbox& sandbox);
  // Ends all processes that descend from the command.
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Returns the argument for Process::start.
  const backends::Process::Keeper* how() const noexcept { return &how_; }
  // Records the process started this way, which is `certile keep`, not the command.
  void note(pid_t keeper) noexcept;
  // Returns the process started this way; 0: none was.
  pid_t id() const noexcept { return keeper_; }
  // Ends all processes but the worker's fork server.  Returns false if the keeper does not answer.
  bool spare(pid_t server) noexcept;

 private:
  Keeper(backends::Process::Keeper how, int socket) : how_(std::move(how)), socket_(socket) {}

  backends::Process::Keeper how_;
  int socket_;
  pid_t keeper_ = 0;  // 0: none was started
};

// A source of a worker's processes: each is started below a keeper, or is another life of a fork server below
// one.
class KeptWorker {
 public:
  // Keeps the program, the limit of memory and the sandbox.
  explicit KeptWorker(const IsolateOptions& options)
      : program_(options.program), memory_limit_(options.memory_limit), sandbox_(options.sandbox) {}

  // Starts the command, after ending the remains of the previous process.  Error io.
  Result<std::unique_ptr<backends::Process>> start(const std::string& command);
  // Returns the keeper of the process started last; 0: there is none.
  pid_t keeper() const noexcept { return keeper_ ? keeper_->id() : 0; }
  // Ends the remains of the process started last, which has ended itself.
  void clear() noexcept;

 private:
  std::string program_;
  std::uint64_t memory_limit_;
  std::optional<SandboxFound> sandbox_;
  std::unique_ptr<PrivateFolder> folder_;  // of the sandbox
  std::unique_ptr<backends::Lives> lives_;
  std::unique_ptr<Keeper> keeper_;
};

}  // namespace certile::conformance
