#pragma once
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "backends/worker/worker.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/kept_worker.hpp"
#include "conformance/ask/process/process_table.hpp"
#include "conformance/ask/worker_calls.hpp"

namespace certile::conformance {

// An asker of a worker over pipes, from this process.  Many calls are sent before the first is answered. When
// a worker ends, its oldest call without an answer is charged with the end, and the others are sent to the
// next worker.
class WorkerAsker final : public Asker {
 public:
  static Result<std::unique_ptr<Asker>> start(const IsolateOptions& options);

  const Claim& claim() const noexcept override { return claim_; }
  Transport transport() const noexcept override { return message_pipe; }
  void listen(Listener listener) override { listener_ = std::move(listener); }
  Result<bool> submit(const Request& request) override;
  Result<Done> finish() override;
  Result<Done> restart() override;
  std::optional<ChildEnd> close() override;
  std::string printed() const override { return worker_.diagnostics(); }
  void set_time_limit(int milliseconds) noexcept override { options_.time_limit = milliseconds; }
  std::chrono::nanoseconds own_time() const noexcept override { return own_.total(); }

 private:
  using Clock = backends::Worker::Clock;

  struct Asked {
    WorkerCalls calls;
    std::size_t sent = 0;      // calls that were sent, or need not be
    std::size_t answered = 0;  // those of them that await no answer
    std::size_t on_way = 0;
  };
  // A call without an answer yet.
  struct Flight {
    std::size_t number = 0;  // of the request, counted since the last restart
    std::size_t call = 0;
    std::size_t size = 0;    // roughly, in bytes
    bool is_behind = false;  // sent while another call was on its way
  };

  explicit WorkerAsker(const IsolateOptions& options);

  Asked& asked(std::size_t number) { return asked_[number - delivered_]; }
  // Waits until at most `left` requests have no answer.
  Result<Done> wait_until(std::size_t left);
  Result<Done> start_worker();
  void note_loaded() const;
  bool is_interrupted() const;
  // Sends as much as should be on its way.
  void send_more();
  bool send_calls(Asked& asked, std::size_t number);
  bool has_room(std::size_t size) const noexcept;
  // Waits for the first answer, and takes all that have arrived.
  void hear();
  void sleep_a_little() const;
  void note_pace(std::size_t answers);
  void take(const backends::Message& answer);
  bool is_probe() const noexcept;
  bool is_late() const;
  // Charges the oldest call with the worker's end, and prepares to send the others again.
  void lose(const Error& why);
  void give_up();
  void deliver_complete();
  void deliver(RawAnswer answer);

  IsolateOptions options_;
  KeptWorker processes_;
  backends::Worker worker_;
  Claim claim_;
  Listener listener_;
  std::deque<Asked> asked_;    // in the order of submission, without those that are delivered
  std::size_t delivered_ = 0;  // requests since the last restart
  std::size_t next_ = 0;       // the first of `asked_` with calls still to send
  std::deque<Flight> on_way_;
  std::size_t bytes_on_way_ = 0;
  std::size_t window_;  // requests
  enum class Ahead { unknown, possible, not_possible } ahead_ = Ahead::unknown;
  bool has_answered_ = false;  // the current process has
  bool given_up_ = false;      // nothing is sent until a restart
  Clock::time_point last_answer_;
  OwnTime own_;
  OwnTime::Duration attentive_since_{0};  // or since the oldest call was sent, or the last answer came
  std::chrono::nanoseconds pace_{0};      // approximate time for one answer
};

}  // namespace certile::conformance
