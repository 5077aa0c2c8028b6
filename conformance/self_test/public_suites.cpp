#include "conformance/self_test/public_suites.hpp"

#include <span>

#include "conformance/corpus.hpp"
#include "conformance/running/run_plan.hpp"
#include "reference/embedded.hpp"

namespace certile {

// public_suites/*.tile, by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_public_suites();

Result<std::vector<PublicSuite>> public_suites() {
  std::vector<PublicSuite> suites;
  for (const EmbeddedFile& file : embedded_public_suites()) {
    const auto cases = parse_corpus({std::string(file.name), std::string(file.text)});
    if (!cases) return cases.error();
    PublicSuite suite{std::string(file.name.substr(0, file.name.rfind('.'))), {}};
    for (const Case& question : *cases)
      suite.literals.push_back(to_string(question));
    suites.push_back(std::move(suite));
  }
  return suites;
}

bool is_seen_by_public_suites(const Record& record) {
  if (record.verdict != Verdict::fail) return false;
  switch (record.fault) {
    case Fault::shape:
    case Fault::type:
    case Fault::elements:
    case Fault::refused:
    case Fault::accepted:
    case Fault::left_unwritten:
    case Fault::crash:
    case Fault::timeout:
    case Fault::memory:
    case Fault::failed:
      return true;
    case Fault::none:
    case Fault::wrote_outside:
    case Fault::read_outside:
    case Fault::changed_input:
    case Fault::aliased:
    case Fault::unsteady:
    case Fault::misplaced:
    case Fault::raced:
    case Fault::wrote_on_refusal:
    case Fault::changed_state:
    case Fault::called_oracle:
    case Fault::claim:
      break;
  }
  return false;
}

Result<bool> is_caught_by(const PublicSuite& suite, const IsolateOptions& isolate,
                          const std::atomic<bool>& interrupted) {
  Plan plan;
  for (const std::string& literal : suite.literals)
    plan.cases.push_back({literal, {}});
  std::atomic<bool> enough{false};
  bool caught = false;
  RunOptions run;
  run.isolate = isolate;
  run.interrupted = &enough;
  run.asks_again = false;
  const auto ran = run_plan(plan, run, [&](const Record& record) {
    caught |= is_seen_by_public_suites(record);
    enough.store(caught || interrupted.load());
    return Result<Done>(Done{});
  });
  if (!ran) return ran.error();
  return caught;
}

}  // namespace certile
