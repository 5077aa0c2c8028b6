#include "conformance/proof/self_test/public_suites.hpp"

#include <functional>
#include <utility>

#include "conformance/plan/corpus.hpp"
#include "conformance/run/session.hpp"
#include "reference/values/embedded.hpp"

namespace certile::conformance {

// Returns public_suites/*.tile, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_public_suites();

namespace {

// Runs the suites until one sees a failure.
Result<bool> is_caught_by(std::span<const PublicSuite> suites, Session& session,
                          const std::function<bool()>& is_enough, bool& caught) {
  caught = false;
  for (const PublicSuite& suite : suites)
    for (const PublicCase& each : suite.cases) {
      if (is_enough()) break;
      if (auto asked = session.ask(each.planned, each.expected); !asked) return asked.error();
    }
  if (auto finished = session.finish(); !finished) return finished.error();
  session.take_unanswered();
  // A backend that fails on closing would have ended their test program.
  if (!is_enough()) caught = session.close().has_value();
  return caught;
}

}  // namespace

Result<PublicSuite> public_suite(std::string name, const std::vector<Case>& cases) {
  PublicSuite suite{std::move(name), {}};
  for (const Case& question : cases) {
    TRY(auto expected, expect(question));
    suite.cases.push_back({planned_case(question), std::move(expected)});
  }
  return suite;
}

Result<std::vector<PublicSuite>> public_suites() {
  std::vector<PublicSuite> suites;
  for (const EmbeddedFile& file : embedded_public_suites()) {
    const auto cases = parse_corpus({std::string(file.name), std::string(file.text)});
    if (!cases) return cases.error();
    TRY(auto suite, public_suite(std::string(file.name.substr(0, file.name.rfind('.'))), *cases));
    suites.push_back(std::move(suite));
  }
  return suites;
}

bool is_seen_by_public_suites(const Record& record) {
  if (record.now().verdict != Verdict::fail) return false;
  switch (record.now().fault) {
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
    case Fault::leaked:
    case Fault::changed_state:
    case Fault::called_oracle:
    case Fault::claim:
      break;
  }
  return false;
}

Result<std::vector<bool>> caught_by(std::span<const PublicSuite> suites, const IsolateOptions& isolate,
                                    const std::atomic<bool>& interrupted) {
  bool caught = false;
  IsolateOptions options = isolate;
  options.stop = [&] { return caught || interrupted.load(); };
  TRY(auto session, Session::open(options));
  session.listen([&](const Judged& judged) { caught |= is_seen_by_public_suites(judged.record); });
  // Most are caught by none, which one process shows.
  TRY(const auto any, is_caught_by(suites, session, options.stop, caught));
  if (!any) return std::vector<bool>(suites.size());
  std::vector<bool> catchers;
  for (std::size_t index = 0; index < suites.size(); ++index) {
    caught = false;
    if (auto fresh = session.fresh(); !fresh) return fresh.error();
    TRY(const auto is_caught, is_caught_by(suites.subspan(index, 1), session, options.stop, caught));
    catchers.push_back(is_caught);
  }
  return catchers;
}

}  // namespace certile::conformance
