#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "backends/worker/lives.hpp"
#include "backends/worker/process.hpp"
#include "conformance/ask/process/keeper.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A source of a worker's processes: each is started below a keeper, or is another life of a fork server below
// one.
class KeptWorker {
 public:
  // Stores the path of a certile and the limit in bytes.
  KeptWorker(std::string program, std::uint64_t memory_limit)
      : program_(std::move(program)), memory_limit_(memory_limit) {}

  // Starts the command, after ending the remains of the previous process.  Error io.
  Result<std::unique_ptr<backends::Process>> start(const std::string& command);
  // Ends the remains of the process started last, which has ended itself.
  void clear() noexcept;

 private:
  std::string program_;
  std::uint64_t memory_limit_;
  std::unique_ptr<backends::Lives> lives_;
  std::unique_ptr<Keeper> keeper_;
};

}  // namespace certile::conformance
