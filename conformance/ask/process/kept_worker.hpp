#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backends/worker/lives.hpp"
#include "backends/worker/process.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/keeper.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

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
