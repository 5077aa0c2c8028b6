#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backends/worker/lives.hpp"
#include "backends/worker/process.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A source of a worker's processes, one at a time.  Each is the host of the worker's command, which has its
// standard streams and ends as the command does, or another life of a fork server below that host.
class KeptWorker {
 public:
  // Keeps the program, the limit of memory and the sandbox.
  explicit KeptWorker(const IsolateOptions& options)
      : program_(options.program), memory_limit_(options.memory_limit), sandbox_(options.sandbox) {}
  ~KeptWorker() { end(); }
  KeptWorker(const KeptWorker&) = delete;
  KeptWorker& operator=(const KeptWorker&) = delete;

  // Starts the command, after ending the remains of the previous process.  Error io.
  Result<std::unique_ptr<backends::Process>> start(const std::string& command);
  // Returns the host of the process started last; 0: there is none.
  pid_t host() const noexcept { return host_; }
  // Ends the remains of the process started last, which has ended itself.
  void clear() noexcept;

 private:
  // Ends all processes but the worker's fork server.  Returns false if there is none, or the host does not
  // answer.
  bool spare_fork_server() noexcept;
  void end() noexcept;

  std::string program_;
  std::uint64_t memory_limit_;
  std::optional<SandboxFound> sandbox_;
  std::unique_ptr<PrivateFolder> folder_;  // of the sandbox
  std::unique_ptr<backends::Lives> lives_;
  pid_t host_ = 0;
  int socket_ = -1;  // its end is the end of the host
};

}  // namespace certile::conformance
