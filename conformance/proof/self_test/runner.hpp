#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "conformance/proof/self_test/hostile.hpp"
#include "conformance/proof/self_test/public_suites.hpp"
#include "conformance/proof/self_test/trial.hpp"

namespace certile {

struct SelfTestOptions {
  Tier tier = Tier::smoke;
  int jobs = 1;
  // Holds the mutants: M01.so, L01.so, …; empty: where they are built or installed.  The hostile plugins,
  // H01.so, …, lie in the folder `hostile` beside it.
  std::string folder;
  std::vector<std::string> names;  // only these: M01, L03; empty: all
};

// Whether a liar ended as it must.
struct Exposure {
  const Liar* liar = nullptr;
  bool exposed = false;
  std::string verdict;  // what `certify` says of it
};

// How many of all mutants the cases of a public suite catch, each wherever it shows.
struct Baseline {
  std::string suite;
  std::size_t cases = 0;
  int killed = 0, total = 0;
};

struct SelfTest {
  // The right Tile that all mutants are made from, judged like them: what passes nobody proves nothing.
  bool right_one_passes = false;
  std::string right_one_verdict;
  std::vector<Trial> trials;         // of the mutants that the tier must catch, in the order of the roster
  std::vector<Trial> worker_trials;  // of the wrong workers, each door by itself
  bool has_python = true;            // false: the workers were not tried
  std::vector<const Mutant*> later;  // that a longer tier must catch
  std::vector<Exposure> exposures;
  std::vector<Survival> survivals;
  std::vector<Baseline> baselines;  // none where only some mutants are chosen
  double seconds = 0;
  bool complete = true;  // it was not interrupted

  // Everything is as it must be.
  bool is_good() const;
};

// Errors: io (there are no mutants in the folder), unsupported (a name that is nobody's).
Result<SelfTest> run_self_test(const SelfTestOptions& options, const std::atomic<bool>& interrupted);

}  // namespace certile
