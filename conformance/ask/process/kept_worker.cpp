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
  lives_.reset();
  Sandbox sandbox;
  if (sandbox_) {
    if (auto folder = PrivateFolder::create(); folder)
      folder_ = *std::move(folder);
    else
      return folder.error();
    sandbox = {sandbox_->layers, folder_->path()};
  }
  auto keeper = Keeper::create(program_, memory_limit_, sandbox);
  if (!keeper) return keeper.error();
  keeper_ = *std::move(keeper);
  // A fork server tells numbers of processes, which mean others inside of a sandbox than here; and what it
  // tells, this process kills.
  if (!sandbox_)
    if (auto lives = backends::Lives::create()) lives_ = *std::move(lives);
  auto process = backends::Process::start(command, lives_.get(), keeper_->how());
  if (process) keeper_->note((*process)->id());
  return process;
}

}  // namespace certile::conformance
