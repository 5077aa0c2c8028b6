#include "conformance/proof/self_test/matrix_run.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "conformance/proof/self_test/mutant_folder.hpp"
#include "conformance/proof/self_test/trial.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/run/session.hpp"

namespace certile::conformance {
namespace {

Error interruption() {
  return {Error::Code::io, "interrupted"};
}

class MatrixRun {
 public:
  MatrixRun(const MatrixOptions& options, std::filesystem::path folder, const std::atomic<bool>& interrupted)
      : options_(options),
        folder_(std::move(folder)),
        interrupted_(interrupted),
        plans_(options.tier, options.budget) {}

  Result<KillMatrix> run() {
    if (auto planned = plan(); !planned) return planned.error();
    std::vector<std::jthread> workers;
    for (int index = 0; index < options_.jobs; ++index)
      workers.emplace_back([this] { work(); });
    workers.clear();
    if (interrupted_.load()) return interruption();
    if (error_) return *error_;
    // The order in which mutants with a narrower claim added their cases depends on the time.
    const auto added = matrix_.rows.begin() + static_cast<std::ptrdiff_t>(planned_);
    std::ranges::sort(added, matrix_.rows.end(), {}, &KillMatrix::Row::literal);
    if (!options_.only_first)
      if (auto measured = measure(); !measured) return measured.error();
    return std::move(matrix_);
  }

 private:
  IsolateOptions isolate_options(std::string_view id) const {
    IsolateOptions isolate;
    isolate.spelling = (folder_ / (std::string(id) + ".so")).string();
    isolate.interrupted = &interrupted_;
    return isolate;
  }

  // Sets up the rows, which are the plan of the right Tile.
  Result<Done> plan() {
    for (const Mutant& mutant : all_mutants()) {
      const bool is_named = std::ranges::find(options_.names, mutant.id) != options_.names.end();
      if (options_.names.empty() ? mutant.tier <= options_.tier : is_named) mutants_.push_back(&mutant);
    }
    for (const std::string& wanted : options_.names)
      if (std::ranges::find(mutants_, wanted, &Mutant::id) == mutants_.end())
        return Error{Error::Code::unsupported,
                     "there is no mutant " + wanted + "; certile self-test --list names them all"};
    const Started started = start_backend(isolate_options("M00"));
    if (!started.claim) return Error{Error::Code::io, started.failure->sentence};
    auto made = plans_.get(started, std::nullopt, Plans::Order::tier);
    if (!made) return made.error();
    matrix_.tier = options_.tier;
    if (options_.budget) matrix_.budget = to_string(*options_.budget);
    matrix_.plan_digest = (*made)->digest;
    for (const Mutant* mutant : mutants_)
      matrix_.mutants.emplace_back(mutant->id);
    for (const PlannedCase& planned : (*made)->cases)
      row_of(planned);
    planned_ = matrix_.rows.size();
    return Done{};
  }

  KillMatrix::Row& row_of(const PlannedCase& planned) {
    const auto [place, is_new] = places_.try_emplace(planned.literal, matrix_.rows.size());
    if (is_new) {
      matrix_.rows.push_back({planned.literal, planned.generator, planned.follows, 0, {}});
      matrix_.rows.back().kills.resize(mutants_.size());
    }
    return matrix_.rows[place->second];
  }

  void work() {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::lock_guard lock(mutex_);
        if (next_ == mutants_.size() || error_ || interrupted_.load()) return;
        mine = next_++;
      }
      const auto done = try_mutant(mine);
      const std::lock_guard lock(mutex_);
      if (!done && !error_) error_ = done.error();
      if (options_.progress) options_.progress(++tried_, mutants_.size());
    }
  }

  Result<Done> try_mutant(std::size_t number) {
    IsolateOptions isolate = isolate_options(mutants_[number]->id);
    const Started started = start_backend(isolate);
    if (!started.claim) return Error{Error::Code::io, started.failure->sentence};
    const auto plan = plans_.get(started, std::nullopt, Plans::Order::tier);
    if (!plan) return plan.error();
    // A busy machine may not answer in so short a time, so a time-out is seen again with the usual limit.
    const int usual = isolate.time_limit;
    isolate.time_limit = time_limit_of_mutants;
    auto killers = killers_of(**plan, isolate);
    if (killers && killers->any_timed_out && !interrupted_.load()) {
      isolate.time_limit = usual;
      killers = killers_of(**plan, isolate);
    }
    if (!killers) return killers.error();
    const std::lock_guard lock(mutex_);
    for (const PlannedCase* planned : killers->cases)
      row_of(*planned).kills[number] = true;
    return Done{};
  }

  struct Killers {
    std::vector<const PlannedCase*> cases;
    bool any_timed_out = false;
  };

  Result<Killers> killers_of(const Plan& plan, const IsolateOptions& isolate) const {
    RunOptions run;
    run.isolate = isolate;
    run.asks_again = false;
    run.fail_fast = options_.only_first;
    run.tier_time = std::chrono::seconds(options_.only_first ? 60 : 5);
    run.interrupted = &interrupted_;
    std::unordered_map<std::string_view, const PlannedCase*> by_literal;
    for (const PlannedCase& planned : plan.cases)
      by_literal.emplace(planned.literal, &planned);
    Killers killers;
    const auto ran = run_plan(plan, run, [&](const Record& record) {
      if (record.now().verdict != Verdict::fail) return Result<Done>(Done{});
      killers.any_timed_out |= record.now().fault == Fault::timeout;
      if (options_.only_first && !killers.cases.empty()) return Result<Done>(Done{});
      killers.cases.push_back(by_literal.at(record.literal));
      return Result<Done>(Done{});
    });
    if (!ran) return ran.error();
    return killers;
  }

  // Asks the right Tile each case alone.
  Result<Done> measure() {
    using Clock = std::chrono::steady_clock;
    IsolateOptions isolate = isolate_options("M00");
    isolate.stop = [this] { return interrupted_.load(); };
    auto session = Session::open(isolate);
    if (!session) return session.error();
    std::string wrong;
    session->listen([&wrong](const Judged& judged) {
      if (judged.record.now().verdict == Verdict::fail) wrong = judged.record.literal;
    });
    for (KillMatrix::Row& row : matrix_.rows) {
      const auto planned = parse_planned_case(row.literal);
      if (!planned) return planned.error();
      const auto start = Clock::now();
      if (auto asked = session->ask(*planned); !asked) return asked.error();
      if (auto finished = session->finish(); !finished) return finished.error();
      row.cost =
          rounded_cost(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count());
      if (interrupted_.load()) return interruption();
      if (!wrong.empty()) return Error{Error::Code::io, "the right Tile fails, M00: " + wrong};
    }
    return Done{};
  }

  const MatrixOptions& options_;
  std::filesystem::path folder_;
  const std::atomic<bool>& interrupted_;
  Plans plans_;
  std::vector<const Mutant*> mutants_;
  KillMatrix matrix_;
  std::unordered_map<std::string, std::size_t> places_;  // of the rows, by literal
  std::size_t planned_ = 0;                              // rows of the plan
  std::mutex mutex_;
  std::size_t next_ = 0, tried_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<KillMatrix> make_matrix(const MatrixOptions& options, const std::atomic<bool>& interrupted) {
  const auto folder = MutantFolder::find(options.folder);
  if (!folder) return folder.error();
  return MatrixRun(options, folder->path(), interrupted).run();
}

Result<std::vector<PlannedCase>> cases_of(const KillMatrix& matrix, const std::string& folder) {
  const auto found = MutantFolder::find(folder);
  if (!found) return found.error();
  IsolateOptions isolate;
  isolate.spelling = (found->path() / "M00.so").string();
  const Started started = start_backend(isolate);
  if (!started.claim) return Error{Error::Code::io, started.failure->sentence};
  PlanOptions options;
  options.tier = matrix.tier;
  options.seed = matrix.seed;
  auto plan = make_plan(*started.claim, started.door, options);
  if (!plan) return plan.error();
  std::unordered_set<std::string_view> wanted;
  for (const KillMatrix::Row& row : matrix.rows)
    wanted.insert(row.literal);
  std::erase_if(plan->cases, [&](const PlannedCase& planned) { return !wanted.contains(planned.literal); });
  // A few cases are asked only of mutants with a narrower claim.
  if (plan->cases.size() < matrix.rows.size() / 2)
    return Error{Error::Code::bad_literal, "the kill matrix has other cases than the tier " +
                                               std::string(name(matrix.tier)) + " of this certile"};
  return std::move(plan->cases);
}

}  // namespace certile::conformance
