#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "conformance/proof/self_test/hostile.hpp"
#include "conformance/proof/self_test/public_suites.hpp"
#include "conformance/proof/self_test/trial.hpp"

namespace certile::conformance {

struct SelfTestOptions {
  Tier tier = Tier::smoke;
  int jobs = 1;
  std::string folder;              // of the mutants, as MutantFolder::find takes it
  std::vector<std::string> names;  // only these: M01, L03, O05; empty: all
};

// The result of a liar.
struct Exposure {
  const Liar* liar = nullptr;
  bool exposed = false;
  std::string verdict;  // the verdict of `certify`
};

// The result of an odd one.
struct Acquittal {
  const Odd* odd = nullptr;
  bool passes = false;
  std::string verdict;  // the verdict of `certify`
};

// The number of mutants that the cases of a public suite catch, wherever each fails.
struct Baseline {
  std::string suite;
  std::size_t cases = 0;
  int killed = 0, total = 0;
};

struct SelfTest {
  // The right Tile that all mutants are made from, judged like them: a judge that passes nothing proves
  // nothing.
  bool right_one_passes = false;
  std::string right_one_verdict;
  std::vector<Trial> trials;         // of the mutants that the tier must catch, in the order of the roster
  std::vector<Trial> worker_trials;  // of the wrong workers, separately with and without inference
  bool has_python = true;            // false: the workers were not tried
  std::vector<const Mutant*> later;  // that a longer tier must catch
  std::vector<const Mutant*> elsewhere;  // that a machine with one processor does not show
  std::vector<Exposure> exposures;
  std::vector<Acquittal> acquittals;
  std::vector<Survival> survivals;
  std::vector<Baseline> baselines;  // none if only some mutants are chosen
  double seconds = 0;
  bool complete = true;  // it was not interrupted

  // Returns true if every result is as it must be.
  bool is_good() const;
};

// Runs the self-test.  Errors: io (the folder has no mutants), unsupported (an unknown name).
Result<SelfTest> run_self_test(const SelfTestOptions& options, const std::atomic<bool>& interrupted);

}  // namespace certile::conformance
