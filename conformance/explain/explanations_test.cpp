// Tests what certile says of wrong kernels: explanations.txt has the failure that a report shows whole, for
// some of the mutants and test plugins.  A change of an explanation is a difference to be read.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/proof/self_test/roster.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {
namespace {

const std::string here = CERTILE_SOURCES "/conformance/explain/";

// A wrong kernel, with the library that it is in, and a case that it fails if the corpus has none.
struct ExplainedKernel {
  std::string words, folder, name, failing = {};
};

// Returns the cases by which the self-test finds mutants.
std::map<std::string, std::string> cases_of_mutants() {
  std::map<std::string, std::string> cases;
  std::ifstream file(CERTILE_SOURCES "/conformance/proof/self_test/first_failures.txt");
  for (std::string id, fault, literal; file >> id >> fault && std::getline(file >> std::ws, literal);)
    if (parse_case(literal)) cases.emplace(id, literal);
  return cases;
}

// Returns every tenth mutant, and test plugins; none whose failures are chance.
std::vector<ExplainedKernel> explained_kernels() {
  constexpr std::size_t step = 10;
  std::vector<ExplainedKernel> all;
  const auto mutants = all_mutants();
  const auto cases = cases_of_mutants();
  for (std::size_t index = 0; index < mutants.size(); index += step) {
    const std::string id(mutants[index].id);
    const bool is_chance = mutants[index].caught_by.find("threads") != std::string_view::npos ||
                           mutants[index].caught_by.find("leak") != std::string_view::npos;
    if (const auto found = cases.find(id); found != cases.end() && !is_chance)
      all.push_back({std::string(mutants[index].words), CERTILE_MUTANTS "/", id, found->second});
  }
  for (const char* name : {"caches_by_address", "clamps_to_32_bits", "clears_last_byte",
                           "crash_on_repeat_three", "cuts_strings", "cuts_to_32_bits", "misplaced",
                           "quiets_nans", "swaps_halves", "unwritten_tail", "wrong_from_200000_bytes"})
    all.push_back({"a test plugin", CERTILE_TEST_PLUGINS "/", name});
  return all;
}

// Returns the report's lines from what the clauses have in common to the whole failure.
std::string explanation_in(const std::string& report, const std::string& folder) {
  std::istringstream lines(report);
  std::string text;
  bool is_of_failure = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("fail  ")) is_of_failure = true;
    const bool is_empty_in_picture = line.empty() && is_of_failure && lines.peek() == ' ';
    if (line.empty() && !is_empty_in_picture) is_of_failure = false;
    if (!is_of_failure && !line.starts_with("one cause?")) continue;
    const std::size_t at = line.find(folder);
    text += (at == std::string::npos ? line : line.replace(at, folder.size(), "")) + "\n";
  }
  return text.empty() ? "no failure in these cases\n" : text;
}

std::string explanation_of(const ExplainedKernel& kernel) {
  Words words{
      "certify", kernel.folder + kernel.name + ".so", "--corpus", here + "explanations.tile", "--jobs", "1"};
  if (!kernel.failing.empty()) words = with_words(std::move(words), {"--case", kernel.failing});
  const ProgramRun run = run_program(words);
  return "# " + kernel.name + ": " + kernel.words + "\n" + explanation_in(run.out, kernel.folder) + "\n";
}

TEST(Explanations, AreThoseOfBefore) {
  if (is_slowed()) GTEST_SKIP() << "sanitizers and emulators change what wrong kernels do";
  const std::vector<ExplainedKernel> all = explained_kernels();
  const auto half = [&all](std::size_t first) {
    std::vector<std::string> texts;
    for (std::size_t index = first; index < all.size(); index += 2)
      texts.push_back(explanation_of(all[index]));
    return texts;
  };
  auto odd = std::async(std::launch::async, half, 1);
  const std::array<std::vector<std::string>, 2> halves{half(0), odd.get()};
  std::string now;
  for (std::size_t index = 0; index < all.size(); ++index)
    now += halves[index % 2][index / 2];
  const std::string path = here + "explanations.txt";
  std::ostringstream before;
  before << std::ifstream(path).rdbuf();
  if (std::getenv("CERTILE_WRITE_GOLDEN") != nullptr) std::ofstream(path) << now;
  EXPECT_EQ(now, before.str()) << "CERTILE_WRITE_GOLDEN=1 writes " << path;
}

}  // namespace
}  // namespace certile::conformance
