#include "conformance/run/chunk_runner.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/records/cut_run.hpp"

namespace certile::conformance {

std::size_t chunk_of(const Plan& plan, const PlannedCase& planned) noexcept {
  const auto place = static_cast<std::size_t>(&planned - plan.cases.data());
  const std::size_t all = plan.cases.size();
  if (!plan.before_budget && all >= least_to_halve && all <= chunk_size) return place / ((all + 1) / 2);
  if (!plan.before_budget) return place / chunk_size;
  std::size_t chunk = 0;
  for (std::size_t end = end_of_chunk_of_budget(0); end <= place; end = end_of_chunk_of_budget(end))
    ++chunk;
  return chunk;
}

std::size_t piece_of(const Plan& plan, const PlannedCase& planned, int shards) noexcept {
  return chunk_of(plan, planned) / static_cast<std::size_t>(shards);
}

std::vector<std::span<const PlannedCase* const>> pieces_of(const Plan& plan, const Share& share, int shards) {
  std::vector<std::span<const PlannedCase* const>> pieces;
  const std::span<const PlannedCase* const> all(share);
  const auto piece_at = [&](std::size_t index) { return piece_of(plan, *share[index], shards); };
  for (std::size_t begin = 0, end = 0; begin < share.size(); begin = end) {
    while (end < share.size() && piece_at(end) == piece_at(begin))
      ++end;
    pieces.push_back(all.subspan(begin, end - begin));
  }
  return pieces;
}

namespace {

// Returns the time limit in milliseconds of further calls of a piece, once one of its calls has taken the
// whole limit.
int shorter_limit_of(const RunOptions& options) {
  return std::min(1'000, options.isolate.time_limit);
}

// Returns the time from which a call with a small answer is slow: a second, and as much more for every 256
// KiB, because a kernel that is right may take a microsecond for each element, in a build that looks for
// faults.
ChunkRunner::Duration patience_for(const Case& question) {
  constexpr double bytes_for_a_second = 0x1p18;
  const std::chrono::duration<double> patience(1 + estimated_bytes(question) / bytes_for_a_second);
  return std::chrono::duration_cast<ChunkRunner::Duration>(patience);
}

// The longest pause between answers that arrive together.
constexpr std::chrono::milliseconds together(1);

bool is_set(const std::atomic<bool>* flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

}  // namespace

ChunkRunner::ChunkRunner(const RunOptions& options, RetryBudget& retries, std::atomic<bool>& stop)
    : options_(options), retries_(retries), stop_(stop) {}

IsolateOptions ChunkRunner::isolated_for_diagnosis(const RunOptions& options) {
  IsolateOptions alone = options.isolate;
  alone.stop = [interrupted = options.interrupted] { return is_set(interrupted); };
  alone.interrupted = options.interrupted;
  return alone;
}

bool ChunkRunner::is_stopped() const noexcept {
  return stop_.load(std::memory_order_relaxed) || is_interrupted();
}

bool ChunkRunner::is_interrupted() const noexcept {
  return is_set(options_.interrupted);
}

bool ChunkRunner::should_give_up() const {
  if (is_stopped()) return true;
  return end_ ? own_time() >= *end_ : of_chunk_->all_should_wait() || is_in_vain_();
}

bool ChunkRunner::is_stalled() const {
  return !end_ && own_time() - own_before_ > stall_limit_;
}

Result<Done> ChunkRunner::open_session(Surroundings surroundings) {
  if (session_) return session_->fresh(surroundings);
  IsolateOptions isolate = options_.isolate;
  isolate.surroundings = surroundings;
  isolate.stop = [this] {
    if (arrivals_.answers > 0 && Clock::now() - last_arrival_ > together) settle_arrivals();
    return should_give_up() || is_stalled();
  };
  isolate.interrupted = options_.interrupted;
  TRY(auto opened, Session::open(isolate));
  session_ = std::move(opened);
  session_->share(options_.known_answers);
  return Done{};
}

Result<ChunkRunner::Chunk> ChunkRunner::run(std::span<const PlannedCase* const> cases,
                                            std::optional<Duration> time_left, Surroundings surroundings,
                                            std::function<bool()> is_in_vain) {
  Chunk chunk;
  of_chunk_ = chunk.retries.get();
  is_in_vain_ = std::move(is_in_vain);
  end_.reset();
  arrivals_ = {};
  stall_limit_ = std::chrono::milliseconds(2 * options_.isolate.time_limit);
  if (!time_left && is_in_vain_()) return chunk;
  if (!is_stopped())
    if (auto opened = open_session(surroundings); !opened && !is_interrupted()) return opened.error();
  // A stopped run starts no process, because starting may take long.
  if (is_stopped()) {
    chunk.unasked.assign(cases.begin(), cases.end());
    return chunk;
  }
  // A hang of this piece shortens the limit of its later calls, in the end one of any piece does.
  session_->set_time_limit(time_left && retries_.has_timed_out() ? shorter_limit_of(options_)
                                                                 : options_.isolate.time_limit);
  is_process_new_ = true;
  last_arrival_ = Clock::now();
  const Duration begin = own_before_ = own_time();
  if (time_left) end_ = begin + *time_left;
  oracles_before_ = session_->time_of_oracles();
  std::vector<const PlannedCase*> set_aside;  // answered after the failure at which the run ends
  session_->listen([&](Judged judged) {
    if (options_.fail_fast && !chunk.failures.empty()) {
      set_aside.push_back(judged.planned);
      return;
    }
    of_chunk_->note(judged);
    note_arrival(judged);
    note_slowness(judged);
    if (is_trouble(judged.seen) || std::holds_alternative<TimedOut>(judged.seen.outcome)) ++chunk.troubles;
    chunk.records.push_back(judged.record);
    if (judged.record.judged.verdict != Verdict::fail) return;
    if (options_.fail_fast) stop_.store(true);
    chunk.places.push_back(chunk.records.size() - 1);
    chunk.failures.push_back(std::move(judged));
  });
  for (const PlannedCase* planned : cases) {
    if (is_stopped()) {
      chunk.unasked.push_back(planned);
    } else if (!time_left && (of_chunk_->should_wait(*planned) || is_in_vain_())) {
      chunk.postponed.push_back(planned);
    } else if (auto asked = session_->ask(*planned); !asked && !is_interrupted()) {
      return asked.error();
    }
  }
  if (auto finished = session_->finish(); !finished && !is_interrupted()) return finished.error();
  auto given_up = session_->take_unanswered();
  settle_arrivals();
  // A large answer may have waited for that of another process.
  if (!given_up.empty() && is_stalled() && is_small(given_up.front()->question())) note_slow(stall_limit_);
  // The backend is slow but does not crash, so the abandoned cases are asked again with a longer wait.
  while (!given_up.empty() && !should_give_up()) {
    stall_limit_ *= 2;
    if (auto fresh = session_->fresh(); !fresh) return fresh.error();
    is_process_new_ = true;
    last_arrival_ = Clock::now();
    own_before_ = own_time();
    for (const PlannedCase* planned : given_up)
      if (auto asked = session_->ask(*planned); !asked) return asked.error();
    if (auto finished = session_->finish(); !finished && !is_interrupted()) return finished.error();
    given_up = session_->take_unanswered();
    settle_arrivals();
  }
  if (given_up.empty() && !is_stopped()) close_session(chunk.records);
  chunk.took = own_time() - begin;
  auto& left = is_stopped() || time_left ? chunk.unasked : chunk.postponed;
  left.insert(left.begin(), given_up.begin(), given_up.end());
  left.insert(left.begin(), set_aside.begin(), set_aside.end());
  return chunk;
}

Result<Done> ChunkRunner::explain(Chunk& chunk, const Plan& plan, Diagnosis& diagnosis) {
  if (auto explained = explain_failures(chunk, plan, diagnosis); !explained) return explained;
  add_not_run(chunk.unasked, chunk.records);
  return Done{};
}

void ChunkRunner::add_not_run(std::span<const PlannedCase* const> cases, std::vector<Record>& records) const {
  const Reason why = is_stopped() ? Reason::stopped : Reason::time_was_up;
  for (const PlannedCase* planned : cases)
    records.push_back(not_run(*planned, why));
}

Record ChunkRunner::not_run(const PlannedCase& planned, Reason why) const {
  const std::string words(sentence(why));
  Record record =
      session_ ? session_->not_run(planned, words) : conformance::not_run(planned, options_.backend, words);
  record.judged.reason = why;
  return record;
}

void ChunkRunner::note_arrival(const Judged& judged) {
  const auto now = Clock::now();
  const auto oracles = session_->time_of_oracles();
  const Duration own = own_time();
  // What the oracles took is not the backend's time.
  if (now - last_arrival_ - (oracles - oracles_before_) > together) settle_arrivals();
  arrivals_.waited += own - own_before_;
  own_before_ = own;
  last_arrival_ = now;
  oracles_before_ = oracles;
  ++arrivals_.answers;
  if (is_trouble(judged.seen)) ++arrivals_.troubles;
  // The first call of a process may set up what all others use.  Many calls may take long where each is fast,
  // as a device's are, and their time is limited elsewhere.
  const Placement& placement = judged.question.placement;
  const bool may_be_slow = std::exchange(is_process_new_, false) || !is_small(judged.question) ||
                           placement.calls > 1 || placement.threads > 1;
  arrivals_.are_small = arrivals_.are_small && !may_be_slow;
  if (arrivals_.are_small) arrivals_.patience += patience_for(judged.question);
}

void ChunkRunner::settle_arrivals() {
  if (arrivals_.troubles > 0)
    of_chunk_->note_cost(arrivals_.troubles,
                         std::chrono::duration_cast<std::chrono::milliseconds>(
                             arrivals_.waited * arrivals_.troubles / arrivals_.answers),
                         options_.tier_time);
  if (arrivals_.answers > 0 && arrivals_.are_small && arrivals_.waited >= arrivals_.patience)
    note_slow(arrivals_.waited);
  arrivals_ = {};
}

void ChunkRunner::note_slow(Duration cost) {
  if (end_ || backends::worker_command(options_.isolate.spelling)) return;
  of_chunk_->note_slow(std::chrono::duration_cast<std::chrono::milliseconds>(cost), options_.tier_time);
}

void ChunkRunner::note_slowness(const Judged& judged) {
  if (!std::holds_alternative<TimedOut>(judged.seen.outcome)) return;
  session_->set_time_limit(shorter_limit_of(options_));
}

void ChunkRunner::close_session(std::vector<Record>& records) {
  const auto end = session_->close();
  const auto last = std::ranges::find_if(records.rbegin(), records.rend(), [](const Record& record) {
    return record.judged.verdict == Verdict::pass;
  });
  if (!end || last == records.rend()) return;
  Outcome ending = Crashed{end->signal, end->exit_code, {}};
  if (end->timed_out) ending = TimedOut{options_.isolate.time_limit};
  last->amendments.push_back(judge_closing(*last, ending, session_->printed()));
  if (!closes_badly_after(last->literal)) last->amendments.back().reproduce.clear();
  if (options_.fail_fast) stop_.store(true);
}

// Asks one case in a fresh process, and returns true if that cannot be closed either.
bool ChunkRunner::closes_badly_after(const std::string& literal) {
  const auto planned = parse_planned_case(literal);
  session_->listen([](const Judged&) {});
  return planned && session_->fresh() && session_->ask(*planned) && session_->finish() &&
         session_->close().has_value();
}

Result<Done> ChunkRunner::explain_failures(Chunk& chunk, const Plan& plan, Diagnosis& diagnosis) {
  if (!options_.asks_again) return Done{};
  const std::vector<Judged>& failures = chunk.failures;
  // The plainest failures of a chunk of the plan come first, because reports show them.
  std::vector<Plainness> plainness;
  for (const Judged& failure : failures)
    plainness.push_back(plainness_of(failure.question, failure.planned->literal));
  std::vector<std::size_t> order(failures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto chunk_at = [&](std::size_t index) { return chunk_of(plan, *failures[index].planned); };
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    if (chunk_at(left) != chunk_at(right)) return chunk_at(left) < chunk_at(right);
    return plainness[left] < plainness[right];
  });
  for (const std::size_t index : order) {
    Record& record = chunk.records[chunk.places[index]];
    if (is_interrupted()) return Done{};
    const bool timed_out = record.judged.fault == Fault::timeout;
    const bool may_ask_again = (!timed_out || retries_.may_confirm_time_out()) &&
                               retries_.may_ask_again(failures[index], plainness[index]);
    if (timed_out && !may_ask_again) {
      // Other calls, confirmed with the whole time limit, show that the backend hangs; this one may have had
      // a second, which is too short to charge it.
      Finding finding;
      finding.reason = Reason::not_confirmed;
      finding.words = sentence(finding.reason);
      record.amendments.push_back({std::move(finding), Amendment::By::stopped});
      continue;
    }
    if (!may_ask_again) {
      record.leave_as_found();
      continue;
    }
    const std::span<const PlannedCase* const> asked(session_->asked());
    const Judged& failing = failures[index];
    const auto history = asked.subspan(failing.history_begin, failing.history_end - failing.history_begin);
    auto explained = diagnosis.explain(failing, history, [this] { return retries_.note_history(); });
    if (!explained && is_interrupted()) return Done{};
    if (!explained) return explained.error();
    record.amendments.push_back(*std::move(explained));
  }
  return Done{};
}

}  // namespace certile::conformance
