#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/process_table.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A backend in a child of a host process, with memory shared with this process.  A request that ends the
// child affects only itself: a new child gets the next one.  The same holds for the first ten requests that
// change the child's process; after those a changed process is kept, and only further changes are reported.
class Isolate final : public Asker {
 public:
  // Starts the host and a first child.  Errors: io if the backend cannot be loaded or ends while loading, or
  // the system refuses; unsupported for an unknown backend.
  static Result<std::unique_ptr<Isolate>> start(const IsolateOptions& options);
  ~Isolate() override;
  Isolate(const Isolate&) = delete;
  Isolate& operator=(const Isolate&) = delete;

  const Claim& claim() const noexcept override { return claim_; }
  Transport transport() const noexcept override { return {}; }
  void listen(Listener listener) override { listener_ = std::move(listener); }
  Result<bool> submit(const Request& request) override;
  Result<Done> finish() override;
  void surround(Surroundings surroundings) noexcept override {
    options_.surroundings = surroundings;
    changes_ = 0;  // what a chunk of a plan records depends on no other chunk
  }
  Result<Done> restart() override;
  std::optional<ChildEnd> close() override;
  std::string printed() const override;
  void set_time_limit(int milliseconds) noexcept override { options_.time_limit = milliseconds; }
  std::chrono::nanoseconds own_time() const noexcept override { return own_.total(); }

 private:
  struct Batch {
    std::size_t requests = 0, asked = 0, delivered = 0, replies_read = 0, reply_offset = 0,
                reply_reserved = 0, request_used = 0;
    bool one_by_one = false;     // from now on each of its requests gets a fresh process
    bool looks_at_each = false;  // changes are looked for after each of its calls
    bool just_changed = false;   // the request delivered last changed its process
    // The end of a call behind others that must be asked again first, and their number from the batch's
    // start.
    std::optional<RawAnswer> failed = {};
    std::size_t answered_before = 0;
  };

  Isolate(IsolateOptions options, SharedMemory requests, SharedMemory replies);
  ControlBlock& control() const noexcept;
  // Returns the memory for the replies to one of the two batches.
  std::span<std::byte> replies_of(std::size_t index) const noexcept;
  Result<Done> start_host();
  void note_loaded() const;
  void end_host() noexcept;
  Result<Done> start_child();
  Result<Done> wait_for_start();
  // Returns words about the child's output, to be appended to a sentence.
  std::string printed_too() const;
  bool command(char what) noexcept;
  bool host_is_gone() noexcept;
  // Waits for an event, but not for long.
  void wait_a_little(std::uint32_t events, int milliseconds) noexcept;
  bool has_passed_since(OwnTime::Duration begin, int milliseconds) const noexcept;
  // Waits for the child's end.  Kills a child that does not end within that part of its time, and returns
  // false.
  bool await_death(int milliseconds) noexcept;

  Result<Done> hand_over();
  Result<Done> collect_oldest();
  // Returns false if a reply cannot be read.
  bool deliver_replies(Batch& batch, const Slot& slot, std::size_t index);
  // Starts a new child for the requests without an answer.
  Result<Done> restart_with_rest();
  // Sets the control data for the next child, because the last one may have overwritten them.
  void restore_control() noexcept;
  enum class Waited { answered, ended, late, rig_late, stopped, unreadable };
  Waited wait_for_batch(std::uint32_t number);
  // Returns how the call under way ended, and ends its process.
  RawAnswer failed_answer(Waited waited);
  ChildEnd how_it_ended();

  IsolateOptions options_;
  SharedMemory requests_, replies_;
  std::optional<SharedMemory> host_output_;  // of a host that is the backend's own program
  std::unique_ptr<PrivateFolder> folder_;    // of the sandbox
  pid_t host_ = -1;
  OwnTime own_;
  Surroundings of_host_ = Surroundings::bare();
  int socket_ = -1;
  Claim claim_;
  std::string changed_by_opening_;  // in words; empty once it is reported
  Listener listener_;
  Batch batches_[2];
  std::uint32_t built_ = 0;      // batches passed since the child's counters were reset
  bool given_up_ = false;        // no request is accepted until a restart
  bool is_used_up_ = false;      // the next batch is for another child
  int answers_of_child_ = 0;     // delivered since the child's start
  int changes_ = 0;              // calls whose process was abandoned: it was changed, or short of something
  std::uint32_t collected_ = 0;  // number of built batches that were answered and delivered
};

}  // namespace certile::conformance
