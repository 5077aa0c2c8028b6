#include "conformance/ask/process/kept_worker.hpp"

#include <csignal>
#include <utility>

namespace certile::conformance {

void KeptWorker::clear() noexcept {
  if (!keeper_) return;
  const pid_t server = lives_ ? lives_->server() : 0;
  if (server > 1 && kill(server, 0) == 0 && keeper_->spare(server)) return;
  keeper_.reset();
  lives_.reset();
}

Result<std::unique_ptr<backends::Process>> KeptWorker::start(const std::string& command) {
  clear();
  if (keeper_ && lives_)
    if (auto life = backends::Process::begin_life(*lives_)) return life;
  keeper_.reset();
  auto keeper = Keeper::create(program_, memory_limit_);
  if (!keeper) return keeper.error();
  keeper_ = *std::move(keeper);
  auto lives = backends::Lives::create();
  lives_ = lives ? *std::move(lives) : nullptr;
  auto process = backends::Process::start(command, lives_.get(), keeper_->how());
  if (process) keeper_->note((*process)->id());
  return process;
}

}  // namespace certile::conformance
