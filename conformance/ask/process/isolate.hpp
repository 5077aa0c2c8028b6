#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A backend in a child of a host process, which shares memory with this one.  A request on which the child
// ends costs that request alone: a new child takes the next one.  So do the first ten requests that leave the
// child's process changed; after that a changed process goes on, and only what changes in it further is told.
class Isolate final : public Asker {
 public:
  // Starts the host and a first child.  Errors: io where the backend cannot be loaded or ends while loading,
  // or the system refuses; unsupported for an unknown backend.
  static Result<std::unique_ptr<Isolate>> start(const IsolateOptions& options);
  ~Isolate() override;
  Isolate(const Isolate&) = delete;
  Isolate& operator=(const Isolate&) = delete;

  const Claim& claim() const noexcept override { return claim_; }
  Door door() const noexcept override { return {}; }
  void listen(Listener listener) override { listener_ = std::move(listener); }
  Result<bool> submit(const Request& request) override;
  Result<Done> finish() override;
  Result<Done> restart() override;
  std::optional<ChildEnd> close() override;
  std::string printed() const override;
  void set_time_limit(int milliseconds) noexcept override { options_.time_limit = milliseconds; }

 private:
  struct Batch {
    std::size_t requests = 0, asked = 0, delivered = 0, replies_read = 0, reply_offset = 0,
                reply_reserved = 0, request_used = 0;
    bool one_by_one = false;     // each of its requests is asked in a process of its own from now on
    bool looks_at_each = false;  // what its calls leave changed is looked for after each
    bool just_changed = false;   // the request that was delivered last left its process changed
  };

  Isolate(IsolateOptions options, SharedMemory requests, SharedMemory replies);
  ControlBlock& control() const noexcept;
  Result<Done> start_host();
  void end_host() noexcept;
  Result<Done> start_child();
  Result<Done> wait_for_start();
  bool command(char what) noexcept;
  bool host_is_gone() noexcept;
  // Waits for the child's end; kills whatever does not end in time.
  void await_death(int milliseconds) noexcept;

  Result<Done> hand_over();
  Result<Done> collect_oldest();
  // False when a reply cannot be read.
  bool deliver_replies(Batch& batch, const Slot& slot, std::size_t index);
  void deliver_end(Batch& batch, const ChildEnd& end);
  // A new child, for what has not been answered.
  Result<Done> restart_with_rest();
  // Sets what the next child goes on with; the last one may have written anything there.
  void restore_control() noexcept;
  enum class Waited { answered, ended, late, rig_late, stopped };
  Waited wait_for_batch(std::uint32_t number);
  ChildEnd how_it_ended();

  IsolateOptions options_;
  SharedMemory requests_, replies_;
  pid_t host_ = -1;
  int socket_ = -1;
  Claim claim_;
  Listener listener_;
  Batch batches_[2];
  std::uint32_t built_ = 0;      // batches handed over since the child's counters were reset
  bool given_up_ = false;        // nothing is asked until a restart
  bool is_used_up_ = false;      // the next batch is for another child
  int answers_of_child_ = 0;     // delivered since it began
  int changes_ = 0;              // calls that left their process changed, or short of something, and cost it
  std::uint32_t collected_ = 0;  // of these, answered and delivered
};

}  // namespace certile
