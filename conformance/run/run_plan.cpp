#include "conformance/run/run_plan.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "backends/registry/registry.hpp"
#include "conformance/run/chunk_runner.hpp"
#include "conformance/run/retry_budget.hpp"

namespace certile::conformance {
namespace {

using Cases = std::vector<const PlannedCase*>;
using Pieces = std::vector<std::span<const PlannedCase* const>>;
using OnRecord = std::function<Result<Done>(const Record&)>;

// A run, whose chunks are run by several threads and reported in order.
class Run {
 public:
  Run(const Plan& plan, const RunOptions& options, const OnRecord& on_record)
      : plan_(plan),
        options_(options),
        on_record_(on_record),
        retries_(backends::worker_command(options.isolate.spelling) ? RetryBudget::of_worker
                                                                    : RetryBudget::in_process),
        diagnosis_(ChunkRunner::isolated_for_diagnosis(options)) {
    for (const Record& record : options.before)
      retries_.restore(record);
  }

  Result<Done> run() {
    const Cases all = options_.share ? *options_.share : share_of(plan_, std::nullopt);
    Pieces pieces = pieces_of(plan_, all, options_.shards);
    std::size_t asked = 0;
    std::erase_if(pieces, [&](const auto& piece) { return (asked += piece.size()) <= options_.done; });
    if (options_.time_for_all) end_of_time_ = ChunkRunner::Clock::now() + *options_.time_for_all;
    if (auto ran = run_all(pieces, {}); !ran) return ran;
    end_of_time_.reset();  // a case that waits belongs to a chunk that was begun
    // Runs the cases that had to wait, a chunk at a time, until the backend itself has taken the time.
    took_ = {};
    const Cases waiting = std::move(postponed_);
    std::size_t in_vain = 0;  // the last calls, if all of them crashed, hung or had no memory
    for (std::size_t begin = 0; begin < waiting.size(); begin += waiting_chunk) {
      const auto chunk = std::span<const PlannedCase* const>(waiting).subspan(
          begin, std::min(waiting_chunk, waiting.size() - begin));
      const bool late = took_ >= options_.tier_time;
      if (late || in_vain >= most_in_vain)
        return skip(std::span(waiting).subspan(begin), late ? Reason::time_was_up : Reason::all_in_vain);
      const std::size_t before = troubles_;
      if (auto done = run_all({chunk}, options_.tier_time - took_); !done) return done;
      in_vain = troubles_ - before == chunk.size() ? in_vain + chunk.size() : 0;
    }
    return Done{};
  }

 private:
  static constexpr std::size_t waiting_chunk = 64, most_in_vain = 512;
  static constexpr std::size_t pieces_ahead = 8;  // of the reported ones, for each process

  Result<Done> skip(std::span<const PlannedCase* const> cases, Reason why) {
    const std::unique_ptr<ChunkRunner> runner = take_runner();
    for (const PlannedCase* planned : cases)
      if (auto handed = on_record_(runner->not_run(*planned, why)); !handed) return handed;
    return Done{};
  }

  using TimeLeft = std::optional<ChunkRunner::Duration>;  // of a patient run

  Result<Done> run_all(const Pieces& pieces, TimeLeft time_left) {
    first_to_wait_ = !time_left && retries_.all_should_wait() ? 0 : pieces.size();
    next_ = 0;
    handed_on_ = 0;
    const int threads =
        static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(options_.jobs), pieces.size()));
    if (threads <= 1) {
      work(pieces, time_left);
    } else {
      std::vector<std::jthread> workers;
      try {
        for (int index = 0; index < threads; ++index)
          workers.emplace_back([&] { work(pieces, time_left); });
      } catch (const std::exception&) {
        // The system refuses more threads, so those started and this one do all the work.
        work(pieces, time_left);
      }
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return error_ ? Result<Done>(*error_) : Result<Done>(Done{});
  }

  // Keeps an exception for the caller, because one that leaves a thread ends the program.
  void work(const Pieces& pieces, TimeLeft time_left) noexcept {
    try {
      work_until_done(pieces, time_left);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      turn_.notify_all();
    }
  }

  void work_until_done(const Pieces& pieces, TimeLeft time_left) {
    std::unique_ptr<ChunkRunner> runner = take_runner();
    for (std::size_t index = 0; take_piece(pieces, index);) {
      auto chunk =
          runner->run(pieces[index], time_left, surroundings_of(pieces[index], time_left.has_value()),
                      [this, index] { return first_to_wait_.load() <= index; });
      // Failures are explained in the order of the plan, so that the choice of those that are asked again
      // does not depend on the number of processes.
      const bool waits = chunk && !chunk->failures.empty();
      if (chunk && (!waits || wait_for_turn(index)) && first_to_wait_.load() > index)
        if (auto explained = runner->explain(*chunk, plan_, diagnosis_); !explained)
          chunk = explained.error();
      hand_on(pieces, index, std::move(chunk));
    }
    const std::lock_guard lock(mutex_);
    idle_runners_.push_back(std::move(runner));
  }

  // Returns the others for every second piece; cases that waited come from several pieces.
  Surroundings surroundings_of(std::span<const PlannedCase* const> piece, bool patient) const {
    const Surroundings usual = options_.isolate.surroundings;
    // A worker has the surroundings of certile.
    if (patient || backends::worker_command(options_.isolate.spelling)) return usual;
    const bool is_second = piece_of(plan_, *piece.front(), options_.shards) % 2 == 1;
    return is_second ? usual.other() : usual;
  }

  std::unique_ptr<ChunkRunner> take_runner() {
    const std::lock_guard lock(mutex_);
    if (idle_runners_.empty()) return std::make_unique<ChunkRunner>(options_, retries_, stop_);
    std::unique_ptr<ChunkRunner> runner = std::move(idle_runners_.back());
    idle_runners_.pop_back();
    return runner;
  }

  // Takes the next piece, unless there is none.  Waits while too many records wait for those of a slow piece,
  // because they are lost if certile is killed.
  bool take_piece(const Pieces& pieces, std::size_t& index) {
    const std::size_t most_ahead = pieces_ahead * static_cast<std::size_t>(options_.jobs);
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return is_over() || next_ < handed_on_ + most_ahead; });
    if (is_over() || takes_no_more_ || next_ >= pieces.size()) return false;
    const bool is_late = end_of_time_ && ChunkRunner::Clock::now() > *end_of_time_;
    if (is_late && next_ > 0) return false;
    index = next_++;
    return true;
  }

  // Waits until the records of all earlier pieces have been reported.  Returns false if the run has failed.
  bool wait_for_turn(std::size_t index) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return is_over() || handed_on_ == index; });
    return !is_over();
  }

  bool is_over() const { return error_ || thrown_; }

  // Reports the records of the piece when its turn has come, with those of later pieces that were waiting.  A
  // piece that an earlier one makes wait is asked again in the end, whatever it was asked meanwhile.
  void hand_on(const Pieces& pieces, std::size_t index, Result<ChunkRunner::Chunk> chunk) {
    const std::lock_guard lock(mutex_);
    if (!chunk) takes_no_more_ = true;
    finished_.emplace(index, std::move(chunk));
    for (auto next = finished_.begin(); next != finished_.end() && next->first == handed_on_; ++handed_on_) {
      if (!is_over() && next->second && first_to_wait_.load() <= handed_on_)
        postponed_.insert(postponed_.end(), pieces[handed_on_].begin(), pieces[handed_on_].end());
      else if (!is_over())
        report(next->second, pieces.size());
      next = finished_.erase(next);
    }
    turn_.notify_all();
  }

  void report(const Result<ChunkRunner::Chunk>& chunk, std::size_t pieces) {
    if (!chunk) {
      error_ = chunk.error();
      return;
    }
    for (const Record& record : chunk->records) {
      if (auto handed = on_record_(record); !handed) {
        error_ = handed.error();
        break;
      }
    }
    troubles_ += chunk->troubles;
    took_ += chunk->took;
    retries_.add(*chunk->retries, options_.tier_time);
    if (first_to_wait_.load() == pieces && pieces > handed_on_ + 1 && !options_.fail_fast &&
        retries_.all_should_wait())
      first_to_wait_.store(handed_on_ + 1);
    postponed_.insert(postponed_.end(), chunk->postponed.begin(), chunk->postponed.end());
  }

  const Plan& plan_;
  const RunOptions& options_;
  const OnRecord& on_record_;
  Cases postponed_;
  RetryBudget retries_;
  Diagnosis diagnosis_;
  std::atomic<bool> stop_{false};
  std::vector<std::unique_ptr<ChunkRunner>> idle_runners_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::map<std::size_t, Result<ChunkRunner::Chunk>> finished_;  // pieces that wait for an earlier one
  std::optional<ChunkRunner::Clock::time_point> end_of_time_;   // for chunks of the plan
  std::size_t next_ = 0, handed_on_ = 0, troubles_ = 0;
  ChunkRunner::Duration took_{0};  // by the backend
  std::atomic<std::size_t> first_to_wait_{
      0};                       // the piece from which on all wait, after what earlier ones took
  bool takes_no_more_ = false;  // because a piece that was taken has failed
  std::optional<Error> error_;
  std::exception_ptr thrown_;
};

}  // namespace

bool is_left_out(const Record& record) {
  const Reason why = record.now().reason;
  return why == Reason::time_was_up || why == Reason::all_in_vain || why == Reason::not_confirmed;
}

Result<Done> run_plan(const Plan& plan, const RunOptions& options, const OnRecord& on_record) {
  return Run(plan, options, on_record).run();
}

}  // namespace certile::conformance
