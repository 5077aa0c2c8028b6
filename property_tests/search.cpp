#include "property_tests/search.hpp"

#include <rapidcheck.h>

#include <string>
#include <unordered_map>
#include <utility>

namespace certile::property_tests {
namespace {

// A listener that does nothing, because the property itself counts.
class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

rc::Gen<Specimen> any_specimen(const Specimens& specimens) {
  return [&specimens](const rc::Random& random, int size) {
    Random numbers(rc::Random(random).next());
    return rc::shrinkable::shrinkRecur(specimens.draw(numbers, size), [&specimens](const Specimen& specimen) {
      return rc::seq::fromContainer(specimens.simpler(specimen));
    });
  };
}

conformance::Fault fault_of(const Examination& broken) {
  return broken.record ? broken.record->now().fault : conformance::Fault::none;
}

class Search {
 public:
  Search(const Property& property, Examiner& examiner) : property_(property), examiner_(examiner) {}

  // Examines a case for RapidCheck.  After the first failure, RapidCheck only shrinks, and each shrink is
  // examined alone, so that no history creates a counterexample.
  bool holds_for(const Case& question) {
    if (failure_) return true;
    auto examined = counterexample_ ? examiner_.examine_alone(property_, question)
                                    : examiner_.examine(property_, question);
    if (!examined) return stop(examined.error());
    if (!counterexample_) {
      ++result_.cases;
      result_.silent += examined->word == LawWord::does_not_apply ? 1 : 0;
    }
    if (examined->word != LawWord::broken) return true;
    if (!counterexample_) return take_first(question, *std::move(examined));
    // A simpler case must have the same fault: a crash stays a crash.
    if (fault_of(*examined) != fault_of(counterexample_->examination)) return true;
    return take_simpler(question, *std::move(examined));
  }

  Result<SearchResult> result() && {
    if (!failure_ && counterexample_ && counterexample_->alone) explain_simplest();
    if (failure_) return *failure_;
    result_.counterexample = std::move(counterexample_);
    return std::move(result_);
  }

 private:
  bool stop(const Error& error) {
    failure_ = error;
    return true;
  }

  bool take_first(const Case& question, Examination broken) {
    // The history is explained before examine_alone(), which begins a new one.
    auto explained = examiner_.explain(property_, std::move(broken));
    auto alone = examiner_.examine_alone(property_, question);
    if (!explained || !alone) return stop(explained ? alone.error() : explained.error());
    const bool fails_alone = alone->word == LawWord::broken;
    counterexample_ = Counterexample{question, fails_alone ? *std::move(alone) : *std::move(explained),
                                     result_.cases - 1, 0, fails_alone};
    if (fault_of(counterexample_->examination) == conformance::Fault::timeout) examiner_.wait_less();
    return false;
  }

  // Keeps a simpler case.  RapidCheck continues from the first simpler one that fails, so the last one to
  // fail is the simplest.
  bool take_simpler(const Case& question, Examination broken) {
    counterexample_->question = question;
    counterexample_->examination = std::move(broken);
    counterexample_->alone = true;
    ++counterexample_->shrinks;
    return false;
  }

  // Explains the simplest case, because it takes more calls to find out whether the placement of the buffers
  // or the order of the calls matters.
  void explain_simplest() {
    examiner_.wait_as_told();
    auto again = examiner_.examine_alone(property_, counterexample_->question);
    if (!again) return void(stop(again.error()));
    if (again->word != LawWord::broken) return;
    auto explained = examiner_.explain(property_, *std::move(again));
    if (!explained) return void(stop(explained.error()));
    counterexample_->examination = *std::move(explained);
  }

  const Property& property_;
  Examiner& examiner_;
  SearchResult result_;
  std::optional<Counterexample> counterexample_;
  std::optional<Error> failure_;
};

}  // namespace

Result<SearchResult> search(const Property& property, const Specimens& specimens, Examiner& examiner,
                            const SearchOptions& options) {
  Search searching(property, examiner);
  rc::detail::TestParams params;
  params.seed = options.seed;
  params.maxSuccess = options.cases;
  params.maxSize = options.max_size;
  Silent listener;
  // Passed by name, so that RapidCheck neither reads its environment variable nor prints.
  const std::unordered_map<std::string, rc::detail::Reproduce> no_shortcuts;
  rc::detail::checkTestable(
      [&] {
        const Specimen specimen = *any_specimen(specimens);
        RC_ASSERT(searching.holds_for(specimen.question));
      },
      rc::detail::TestMetadata{}, params, listener, no_shortcuts);
  auto result = std::move(searching).result();
  examiner.wait_as_told();
  return result;
}

}  // namespace certile::property_tests
