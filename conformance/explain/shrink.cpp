#include "conformance/explain/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <set>

#include "conformance/explain/nearby_cases.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using Cases = std::vector<Case>;

constexpr int most_asked = 1'000;
constexpr std::chrono::seconds longest_search{60};
// A hang costs its whole time limit each time, so less must do.
constexpr int limit_of_hangs = 1'000;

class Search {
 public:
  explicit Search(const IsolateOptions& options) : options_(options), asker_(options) {}

  Result<Shrunk> run(Cases cases) {
    TRY(auto first, ask(cases));
    Shrunk shrunk;
    shrunk.finding = first.finding;
    must_be_telling_ = first.is_telling;
    if (first.finding.verdict == Verdict::fail) {
      if (first.finding.fault == Fault::timeout && options_.time_limit > limit_of_hangs) {
        options_.time_limit = limit_of_hangs;
        asker_ = Diagnosis(options_);
      }
      if (auto done = shrink_all(cases, shrunk); !done) return done.error();
      if (auto done = look_around(cases, shrunk); !done) return done.error();
      if (auto done = charge(cases, shrunk); !done) return done.error();
    }
    for (const Case& each : cases)
      shrunk.literals.push_back(to_string(each));
    shrunk.asked = asked_;
    return shrunk;
  }

 private:
  // The judgement of the last of some cases.
  struct Answered {
    Finding finding;
    bool is_telling = false;  // an answer with elements was expected, as of the case that fails
  };

  Result<Answered> ask(const Cases& cases) {
    ++asked_;
    std::deque<PlannedCase> planned;
    Diagnosis::Sequence sequence;
    for (const Case& each : cases) {
      planned.push_back(planned_case(each));
      sequence.push_back(&planned.back());
    }
    TRY(auto judged, asker_.ask_in_order(sequence));
    const bool has_elements =
        std::holds_alternative<Answer>(judged.expected) && !judged.record.judged.vacuous;
    const Finding& finding = judged.record.judged;
    return Answered{finding, has_elements};
  }

  bool may_go_on() const {
    const bool is_stopped = (options_.stop && options_.stop()) ||
                            (options_.interrupted != nullptr && options_.interrupted->load());
    return !is_stopped && asked_ < most_asked && Clock::now() < end_;
  }

  // Makes the cases plainer, until no plainer ones fail in the same way.
  Result<Done> shrink_all(Cases& cases, Shrunk& shrunk) {
    for (bool is_plainer = true; is_plainer && !shrunk.is_cut;) {
      is_plainer = false;
      for (const Cases& nearby : plainer_sequences(cases)) {
        TRY(auto fails, try_out(nearby, shrunk));
        if (!fails) continue;
        cases = nearby;
        is_plainer = true;
        break;
      }
    }
    return Done{};
  }

  // Returns the sequences in which one case is a plainer one, the last case first, and then those in which
  // the two last ones are: a failure may need that both agree in something.
  static std::vector<Cases> plainer_sequences(const Cases& cases) {
    std::vector<Cases> sequences;
    for (std::size_t place = cases.size(); place-- > 0;)
      for (const Case& plainer : plainer_cases(cases[place])) {
        sequences.push_back(cases);
        sequences.back()[place] = plainer;
      }
    if (cases.size() < 2) return sequences;
    constexpr std::size_t most = 16;  // of each of the two, the plainest
    const std::size_t last = cases.size() - 1;
    const Cases of_last = plainer_cases(cases[last]), of_first = plainer_cases(cases[last - 1]);
    for (std::size_t one = 0; one < std::min(most, of_last.size()); ++one)
      for (std::size_t other = 0; other < std::min(most, of_first.size()); ++other) {
        sequences.push_back(cases);
        sequences.back()[last] = of_last[one];
        sequences.back()[last - 1] = of_first[other];
      }
    return sequences;
  }

  // Returns true if the cases fail in the same way, and counts them as a step then.
  Result<bool> try_out(const Cases& nearby, Shrunk& shrunk) {
    if (!may_go_on()) {
      shrunk.is_cut = true;
      return false;
    }
    if (!tried_.insert(key_of(nearby)).second) return false;
    TRY(auto found, ask(nearby));
    if (is_pass(found)) passed_.insert(key_of(nearby));
    Finding& finding = found.finding;
    if (finding.verdict != Verdict::fail || finding.fault != shrunk.finding.fault) return false;
    // Changed bits are another fault than elements at wrong places.
    const auto is_of_bits = [&](const Finding& it) {
      return it.charged == text_of(clause_with(nearby.back().definition, Role::bits));
    };
    if (is_of_bits(shrunk.finding) && !is_of_bits(finding)) return false;
    shrunk.finding = std::move(finding);
    ++shrunk.steps;
    return true;
  }

  // Finds the nearest cases that pass, on both sides of the last case.
  Result<Done> look_around(const Cases& cases, Shrunk& shrunk) {
    Cases nearby = cases;
    std::optional<Distance> nearest;
    for (const Case& plainer : plainer_cases(cases.back())) {
      nearby.back() = plainer;
      const Distance distance = distance_between(plainer, cases.back());
      if ((nearest && distance > *nearest) || !passed_.contains(key_of(nearby))) continue;
      nearest = distance;
      shrunk.smaller_pass = to_string(plainer);
    }
    constexpr std::size_t most = 100;
    const Cases larger = larger_cases(cases.back());
    for (std::size_t index = 0; index < std::min(most, larger.size()) && may_go_on(); ++index) {
      nearby.back() = larger[index];
      TRY(auto found, ask(nearby));
      if (!is_pass(found)) continue;
      shrunk.larger_pass = to_string(larger[index]);
      break;
    }
    return Done{};
  }

  // Finds the clause of a single case as a run does, which asks it again in other ways.
  Result<Done> charge(const Cases& cases, Shrunk& shrunk) {
    if (cases.size() > 1 || !may_go_on()) return Done{};
    const PlannedCase planned = planned_case(cases.back());
    const auto judged = asker_.ask_in_order({&planned});
    if (!judged) return judged.error();
    if (judged->record.judged.verdict != Verdict::fail) return Done{};
    auto amendment = asker_.explain(*judged, {}, [] { return false; });
    if (!amendment) return amendment.error();
    Finding& finding = *amendment;
    if (finding.verdict == Verdict::fail) shrunk.finding = std::move(finding);
    return Done{};
  }

  // Returns true for a pass that says something next to this failure: not for a refusal or an empty output,
  // if the case that fails has elements.
  bool is_pass(const Answered& found) const {
    return found.finding.verdict == Verdict::pass && (found.is_telling || !must_be_telling_);
  }

  static std::string key_of(const Cases& cases) {
    std::string key;
    for (const Case& each : cases)
      key += to_string(each) + "\n";
    return key;
  }

  IsolateOptions options_;
  Diagnosis asker_;
  Clock::time_point end_ = Clock::now() + longest_search;
  std::set<std::string> tried_, passed_;
  int asked_ = 0;
  bool must_be_telling_ = false;
};

}  // namespace

Result<Shrunk> shrink(const std::vector<std::string>& literals, const IsolateOptions& options) {
  Cases cases;
  for (const std::string& literal : literals) {
    TRY(auto question, parse_case(literal));
    cases.push_back(std::move(question));
  }
  return Search(options).run(std::move(cases));
}

std::string text_of(const Shrunk& shrunk) {
  const Finding& found = shrunk.finding;
  std::string text;
  for (std::size_t index = 0; index + 1 < shrunk.literals.size(); ++index)
    text += fmt::format("after   {}\n", printable(shrunk.literals[index]));
  text += fmt::format("{:<7} {}", found.verdict == Verdict::fail ? "fails" : name(found.verdict),
                      printable(shrunk.literals.back()));
  if (found.verdict != Verdict::fail) return text + "\n";
  const Clause* clause = find_clause(found.charged);
  if (shrunk.literals.size() > 1)
    text += fmt::format("   {}, after the cases above\n", name(found.fault));
  else
    text += fmt::format("   {}   [{}{}]\n", name(found.fault), found.charged,
                        clause == nullptr ? "" : " " + clause->name);
  if (shrunk.smaller_pass) text += fmt::format("passes  {}   plainer\n", printable(*shrunk.smaller_pass));
  if (shrunk.larger_pass) text += fmt::format("passes  {}   larger\n", printable(*shrunk.larger_pass));
  return text + fmt::format("        {}, {} asked{}\n", counted(shrunk.steps, "step"),
                            counted(shrunk.asked, "case"),
                            shrunk.is_cut ? "; the search ended early, so a plainer case may fail" : "");
}

}  // namespace certile::conformance
