#pragma once
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A case that was asked, with everything that is known of it.
struct Judged {
  const PlannedCase* planned = nullptr;
  Case question;
  Expectation expected;
  Observation seen;
  Record record;
  std::size_t history_begin =
      0;  // the cases of this session that the same process was asked before: from this one on …
  std::size_t history_end = 0;  // … up to this one
  // Where the two runs gave two answers: whether the one on the right, and the one on the left, was right.
  std::optional<std::array<bool, 2>> right_on_side;
};

// How a question is put.  None of these may change the answer.
enum class Manner {
  usual,
  left_side_first,  // the second of the two runs comes first
  in_turn,          // concurrent calls are made by one thread, one after the other
};

// Asks one backend, in its isolated process, case after case, and judges each answer.
class Session {
 public:
  using Listener = std::function<void(Judged)>;

  static Result<Session> open(const IsolateOptions& options);

  const Claim& claim() const noexcept { return asker_->claim(); }
  // The listener is told in the order of asking.
  void listen(Listener listener) { listener_ = std::move(listener); }

  // Asks a case; answers to earlier ones may arrive meanwhile.  A case that this machine cannot judge gets a
  // record that says so.  Errors: backend_failed (the oracles disagree), io (no process can be started).
  Result<Done> ask(const PlannedCase& planned, Manner manner = Manner::usual);
  // The same where it is known already what is due, and that this machine can judge it.
  Result<Done> ask(const PlannedCase& planned, Case question, Expectation expected,
                   Manner manner = Manner::usual);
  // Waits for all answers.
  Result<Done> finish();
  // The cases that were given up, since `options.stop` said so: asked, and never answered.  The next thing is
  // fresh().
  std::vector<const PlannedCase*> take_unanswered();
  // A fresh process, with no history; all answers have arrived.
  Result<Done> fresh();

  // What was asked since the session began, for the indices in Judged.
  const std::vector<const PlannedCase*>& asked() const noexcept { return asked_; }
  // What the backend printed: whole after close().
  std::string printed() const { return asker_->printed(); }
  // Lets the backend close; how its process ended where that was not as it should.
  std::optional<ChildEnd> close();
  void set_time_limit(int milliseconds);

 private:
  struct Pending {
    const PlannedCase* planned;
    Case question;
    Expectation expected;
    Request request;
  };

  Session(IsolateOptions options, std::unique_ptr<Asker> asker);
  void attach();
  void on_answer(const RawAnswer& answer);
  void deliver(Pending pending, Observation seen, const RawAnswer& answer);
  void deliver_not_run(const PlannedCase& planned, Case question, const std::string& why);
  Result<Done> enlarge(const Request& request);

  IsolateOptions options_;
  std::unique_ptr<Asker> asker_;
  Listener listener_;
  std::deque<Pending> pending_;
  std::vector<const PlannedCase*> asked_;
  std::size_t answered_ = 0;       // of the asked ones
  std::size_t history_begin_ = 0;  // the first that the present process was asked
};

// Bytes of an answer above which this machine does not judge: a share of its memory, since several copies are
// needed.
std::uint64_t largest_answer() noexcept;

}  // namespace certile
