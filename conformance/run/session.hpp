#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/run/known_answers.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A case that was asked, with all facts about it.
struct Judged {
  const PlannedCase* planned = nullptr;
  Case question;         // of the planned case
  Expectation expected;  // left out of a case that did not fail, if the session shares known answers
  Observation seen;
  Record record;
  // The range in Session::asked() of the cases that the same process was asked before.
  std::size_t history_begin = 0, history_end = 0;
  Surroundings surroundings = Surroundings::bare();  // of its process
  // If the two runs gave different answers: whether those on the right and left side of memory were correct.
  std::optional<std::array<bool, 2>> right_on_side;
};

// Returns the record of a case that was not asked.
Record not_run(const PlannedCase& planned, const std::string& backend, const std::string& why);

// A way to ask a case, which must not change the answer.
enum class Manner {
  usual,
  other_side_first,  // the two runs are made in the opposite order
  in_turn,           // concurrent calls are made by one thread, one after the other
};

// A session with one backend in its isolated process, which asks case after case and judges each answer.
// Every second case of a fresh process has its first run on the left side of memory, so that two successive
// cases follow each other at the same addresses: a result that is remembered by an address is met there.
class Session {
 public:
  using Listener = std::function<void(Judged)>;

  static Result<Session> open(const IsolateOptions& options);

  const Claim& claim() const noexcept { return asker_->claim(); }
  Transport transport() const noexcept { return asker_->transport(); }
  // Sets the callback that receives each judgement, in the order of asking.
  void listen(Listener listener) { listener_ = std::move(listener); }

  // Takes expected answers from the store, and adds those that it lacks; the store must outlive the session.
  void share(KnownAnswers* known) noexcept { known_ = known; }

  // Asks a case; answers to earlier ones may arrive meanwhile.  A case that this machine cannot judge gets a
  // record that says so.  Errors: backend_failed (the oracles disagree), io (no process can be started).
  Result<Done> ask(const PlannedCase& planned, Manner manner = Manner::usual);
  // Asks a case that this machine can judge, with its expectation.  Error: io.
  Result<Done> ask(const PlannedCase& planned, Expectation expected, Manner manner = Manner::usual) {
    return submit({&planned, planned.question(), std::move(expected), nullptr, {}, true}, manner);
  }
  // Asks a case for what its call leaves behind in the process.  The answer is not judged and has no
  // listener, so that the oracles compute no elements.  Errors: as ask().
  Result<Done> ask_unjudged(const PlannedCase& planned);
  // Waits for all answers.
  Result<Done> finish();
  // Returns the cases abandoned because `options.stop` returned true: asked but never answered.  The session
  // then needs fresh().
  std::vector<const PlannedCase*> take_unanswered();
  // Starts a fresh process without history, after all answers have arrived.
  Result<Done> fresh();
  // Starts one with these surroundings.
  Result<Done> fresh(Surroundings surroundings);

  // Returns the cases asked since the session began, for the indices in Judged.
  const std::vector<const PlannedCase*>& asked() const noexcept { return asked_; }
  // Returns the time that certile itself took to find out the answers that it expects.
  std::chrono::steady_clock::duration time_of_oracles() const noexcept { return time_of_oracles_; }
  // Returns what the backend's processes took by themselves; see Asker.
  std::chrono::nanoseconds own_time() const noexcept { return own_time_before_ + asker_->own_time(); }
  // Returns the output that the backend printed, which is complete after close().
  std::string printed() const { return asker_->printed(); }
  // Closes the backend.  Returns the end of its process if that was not orderly.
  std::optional<ChildEnd> close() { return asker_->close(); }
  void set_time_limit(int milliseconds);
  // Returns the record of a case that was not asked, with the clauses that it would have exercised, because
  // passes of others prove them only so far.
  Record not_run(const PlannedCase& planned, const std::string& why) const;

 private:
  struct Pending {
    const PlannedCase* planned;
    Case question;
    Expectation expected;
    std::shared_ptr<const Expectation> known;  // instead of `expected`
    Request request;
    bool is_judged;
    std::vector<Tensor> filled = {};  // the data, if the oracles needed them

    const Expectation& due() const noexcept { return known ? *known : expected; }
  };

  Session(IsolateOptions options, std::unique_ptr<Asker> asker);
  Result<Done> submit(Pending pending, Manner manner);
  // Adds what the oracles expect of a case to it.  Errors: as expect().
  Result<Done> add_expectation(Pending& pending);
  void attach();
  void on_answer(RawAnswer answer);
  void deliver(Pending pending, Observation seen, const RawAnswer& answer);
  void deliver_not_run(const PlannedCase& planned, Case question, const std::string& why);
  Result<Done> enlarge(const Request& request);

  IsolateOptions options_;
  std::unique_ptr<Asker> asker_;
  Listener listener_;
  KnownAnswers* known_ = nullptr;
  std::deque<Pending> pending_;
  std::vector<const PlannedCase*> asked_;
  std::size_t answered_ = 0;       // number of asked cases that are answered
  std::size_t history_begin_ = 0;  // index of the first case that the current process was asked
  bool left_side_first_ = false;   // for the next case
  std::chrono::steady_clock::duration time_of_oracles_{0};
  std::chrono::nanoseconds own_time_before_{0};  // of askers that were replaced
};

// Returns the size in bytes of the largest answer that this machine judges: a share of its memory, because
// judging needs several copies.
std::uint64_t largest_answer() noexcept;

}  // namespace certile::conformance
