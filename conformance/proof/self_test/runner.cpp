#include "conformance/proof/self_test/runner.hpp"
#include "conformance/facts/environment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "conformance/ask/sandbox/private_folder.hpp"
#include "conformance/proof/self_test/roster.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

// Returns the path of Python itself, because `python3` may be a script that searches for it at each start;
// empty if there is none.
std::string path_of_python() {
  const char* const command = "python3 -c 'import sys; print(sys.executable)' 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(popen(command, "r"), pclose);
  std::array<char, 4096> line{};
  if (!output || std::fgets(line.data(), line.size(), output.get()) == nullptr) return {};
  std::string path(line.data());
  return path.substr(0, path.find('\n'));
}

class Runner {
 public:
  Runner(const SelfTestOptions& options, files::path folder, std::vector<PublicSuite> suites,
         const std::atomic<bool>& interrupted)
      : options_(options),
        folder_(std::move(folder)),
        suites_(std::move(suites)),
        interrupted_(interrupted),
        plans_(options.tier) {}

  SelfTest run() {
    const auto start = std::chrono::steady_clock::now();
    if (auto folder = PrivateFolder::create()) files_ = *std::move(folder);
    plan_work();
    last_ = work_.size();
    std::vector<std::jthread> workers;
    for (int index = 0; index < options_.jobs; ++index)
      workers.emplace_back([this] { work(End::front); });
    // One more thread works from the other end, where the work consists mostly of waiting.
    workers.emplace_back([this] { work(End::back); });
    workers.clear();
    result_.complete = !interrupted_.load();
    if (options_.names.empty()) count_baselines();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  bool is_chosen(std::string_view id) const {
    return options_.names.empty() || std::ranges::find(options_.names, id) != options_.names.end();
  }
  IsolateOptions isolate_options(std::string_view id) const {
    IsolateOptions options;
    options.spelling = (folder_ / (std::string(id) + ".so")).string();
    if (files_) options.environment = {"TMPDIR=" + files_->path()};
    return options;
  }

  // Plans one piece of work for each mutant, liar, …; their results have places already.
  void plan_work() {
    if (is_chosen("M00"))
      work_.push_back([this] { certify_right_one(); });
    else
      result_.right_one_passes = true;
    for (const Mutant& mutant : all_mutants()) {
      if (!is_chosen(mutant.id)) continue;
      if (mutant.tier > options_.tier) {
        result_.later.push_back(&mutant);
        continue;
      }
      if (mutant.name == "parts_of_first_processors" && processors_allowed() == 1) {
        result_.elsewhere.push_back(&mutant);
        continue;
      }
      const std::size_t first = result_.trials.size();
      for (const DefinitionId definition : definitions_of(mutant))
        result_.trials.push_back(untried(mutant, definition, {}));
      work_.push_back([this, &mutant, first] { try_operators(mutant, first); });
    }
    plan_workers();
    for (const Liar& liar : all_liars())
      if (is_chosen(liar.id)) result_.exposures.push_back({&liar, false, {}});
    if (options_.names.empty()) caught_.resize(all_mutants().size(), std::vector<bool>(suites_.size()));
    for (std::size_t index = 0; index < caught_.size(); ++index)
      work_.push_back([this, index] { try_public_suites(all_mutants()[index], caught_[index]); });
    for (Exposure& exposure : result_.exposures)
      work_.push_back([this, &exposure] { expose(exposure); });
    for (const Odd& odd : all_odd())
      if (is_chosen(odd.id)) result_.acquittals.push_back({&odd, false, {}});
    for (Acquittal& acquittal : result_.acquittals)
      work_.push_back([this, &acquittal] { acquit(acquittal); });
    for (const Hostile& hostile : all_hostile())
      if (is_chosen(hostile.id)) result_.survivals.push_back({&hostile, false, {}});
    for (Survival& survival : result_.survivals)
      work_.push_back([this, &survival] { meet(survival); });
  }

  static Trial untried(const Mutant& mutant, DefinitionId definition, std::string_view inference) {
    Trial trial;
    trial.mutant = &mutant;
    trial.definition = definition;
    trial.inference = inference;
    return trial;
  }

  void plan_workers() {
    python_ = path_of_python();
    result_.has_python = !python_.empty();
    for (const WrongWorker& worker : all_wrong_workers()) {
      if (!is_chosen(worker.id) || !result_.has_python) continue;
      for (const std::string_view infers : {"yes", "no"}) {
        if (infers == "no" && worker.inference == WrongWorker::Inference::with_inference) continue;
        const std::size_t first = result_.worker_trials.size();
        const std::string_view inference = infers == "yes" ? "with inference" : "without inference";
        for (const DefinitionId definition : definitions_of(worker))
          result_.worker_trials.push_back(untried(worker, definition, inference));
        work_.push_back([this, &worker, first, infers] { try_worker(worker, first, infers); });
      }
    }
  }

  void try_worker(const WrongWorker& worker, std::size_t first, std::string_view infers) {
    IsolateOptions options;
    // The workers need no packages, whose search takes longer than all the rest of a start.
    options.spelling = "worker:exec '" + python_ + "' -I -S '" + (folder_ / "wrong_workers.py").string() +
                       "' " + std::string(worker.name) + " --infer " + std::string(infers);
    store(result_.worker_trials, first,
          try_mutant(worker, definitions_of(worker), std::move(options), plans_, interrupted_));
  }

  // Stores the findings in their places.
  static void store(std::vector<Trial>& places, std::size_t first, std::vector<Trial> found) {
    for (Trial& trial : found) {
      trial.inference = places[first].inference;
      places[first++] = std::move(trial);
    }
  }

  enum class End { front, back };  // of the work

  std::optional<std::size_t> take(End end) {
    const std::lock_guard lock(mutex_);
    if (first_ == last_) return std::nullopt;
    return end == End::front ? first_++ : --last_;
  }

  // Takes and does work from that end until nothing is left.
  void work(End end) {
    for (auto mine = take(end); mine && !interrupted_.load(); mine = take(end)) {
      try {
        work_[*mine]();
      } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
        // The result already says that it was not tried, which is never good.
      }
    }
  }

  void try_operators(const Mutant& mutant, std::size_t first) {
    auto trials =
        try_mutant(mutant, definitions_of(mutant), isolate_options(mutant.id), plans_, interrupted_);
    std::ranges::move(trials, result_.trials.begin() + static_cast<std::ptrdiff_t>(first));
  }

  static bool passes(const Certification& result) {
    return result.summary && result.summary->conformance() == Summary::Conformance::full;
  }

  void certify_right_one() {
    const auto result =
        certify_library(isolate_options("M00"), plans_, options_.tier, std::nullopt, interrupted_);
    result_.right_one_passes = passes(result);
    result_.right_one_verdict = result.summary ? result.summary->verdict_line() : result.why;
  }

  // Asks one definition alone: what is odd about them is not in their reading of a definition.
  void acquit(Acquittal& acquittal) {
    const auto result = certify_library(isolate_options(acquittal.odd->id), plans_, options_.tier,
                                        definition_named("onnx-tile-13"), interrupted_);
    if (interrupted_.load()) return;
    acquittal.passes = passes(result);
    acquittal.verdict = result.summary ? result.summary->verdict_line() : "not loaded: " + result.why;
  }

  void expose(Exposure& exposure) {
    using Conformance = Summary::Conformance;
    const auto result = certify_library(isolate_options(exposure.liar->id), plans_, options_.tier,
                                        std::nullopt, interrupted_);
    if (interrupted_.load()) return;
    exposure.verdict = result.summary ? result.summary->verdict_line() : "not loaded: " + result.why;
    const auto conformance = result.summary ? result.summary->conformance() : Conformance::nothing_run;
    switch (exposure.liar->exposed) {
      case Liar::Exposed::failing:
        exposure.exposed =
            result.summary && result.summary->count(Verdict::fail) > 0 && conformance != Conformance::full;
        return;
      case Liar::Exposed::little:
        exposure.exposed = result.summary && conformance == Conformance::full &&
                           exposure.verdict.find("claim: ") != std::string::npos;
        return;
      case Liar::Exposed::unloadable:
        exposure.exposed = !result.summary;
        return;
    }
  }

  void try_public_suites(const Mutant& mutant, std::vector<bool>& caught) {
    IsolateOptions isolate = isolate_options(mutant.id);
    isolate.time_limit = time_limit_of_mutants;
    if (auto catchers = caught_by(suites_, isolate, interrupted_)) caught = *std::move(catchers);
  }

  void count_baselines() {
    for (std::size_t suite = 0; suite < suites_.size(); ++suite)
      result_.baselines.push_back({suites_[suite].name, suites_[suite].cases.size(),
                                   static_cast<int>(std::ranges::count_if(
                                       caught_, [suite](const auto& each) { return each[suite]; })),
                                   static_cast<int>(caught_.size())});
  }

  void meet(Survival& survival) {
    const auto path = folder_.parent_path() / "hostile" / (std::string(survival.hostile->id) + ".so");
    survival = survive(*survival.hostile, path.string(), {}, interrupted_);
  }

  const SelfTestOptions& options_;
  files::path folder_;
  std::unique_ptr<PrivateFolder> files_;  // for what mutants leave on disks
  std::vector<PublicSuite> suites_;
  std::vector<std::vector<bool>> caught_;  // of each mutant, by suite
  const std::atomic<bool>& interrupted_;
  Plans plans_;
  std::string python_;
  SelfTest result_;
  std::vector<std::function<void()>> work_;
  std::mutex mutex_;
  std::size_t first_ = 0, last_ = 0;  // of the work that no thread has taken
};

bool is_known(std::string_view wanted) {
  const auto has = [wanted](const auto& row) { return row.id == wanted; };
  return wanted == "M00" || std::ranges::any_of(all_mutants(), has) ||
         std::ranges::any_of(all_liars(), has) || std::ranges::any_of(all_odd(), has) ||
         std::ranges::any_of(all_wrong_workers(), has) || std::ranges::any_of(all_hostile(), has);
}

}  // namespace

bool SelfTest::is_good() const {
  return complete && right_one_passes &&
         std::ranges::all_of(trials, [](const Trial& each) { return each.end == Trial::End::killed; }) &&
         std::ranges::all_of(worker_trials,
                             [](const Trial& each) { return each.end == Trial::End::killed; }) &&
         std::ranges::all_of(exposures, [](const Exposure& each) { return each.exposed; }) &&
         std::ranges::all_of(acquittals, [](const Acquittal& each) { return each.passes; }) &&
         std::ranges::all_of(survivals, [](const Survival& each) { return each.survived; });
}

Result<SelfTest> run_self_test(const SelfTestOptions& options, const std::atomic<bool>& interrupted) {
  for (const std::string& wanted : options.names)
    if (!is_known(wanted))
      return Error{Error::Code::unsupported,
                   "there is no " + wanted + "; certile self-test --list names them all"};
  TRY(const auto folder, MutantFolder::find(options.folder));
  TRY(auto suites, public_suites());
  return Runner(options, folder.path(), std::move(suites), interrupted).run();
}

}  // namespace certile::conformance
