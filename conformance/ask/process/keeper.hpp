#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "backends/worker/process.hpp"
#include "conformance/ask/sandbox/sandbox.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

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

}  // namespace certile::conformance
