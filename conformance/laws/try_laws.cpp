#include "conformance/laws/try_laws.hpp"

#include <optional>
#include <utility>

#include "conformance/laws/laws.hpp"
#include "conformance/plan/tiers/random_cases.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/run/session.hpp"

namespace certile::conformance {

Result<Record> explained(const LawFinding& broken, const IsolateOptions& options) {
  TRY(auto session, Session::open(options));
  std::optional<Judged> failing;
  session.listen([&](Judged judged) {
    if (!failing && judged.record.judged.verdict == Verdict::fail) failing = std::move(judged);
  });
  for (const PlannedCase& each : broken.asked) {
    if (failing) break;
    if (const auto asked = session.ask(each); !asked) return asked.error();
    if (const auto finished = session.finish(); !finished) return finished.error();
  }
  if (!failing) return *broken.record;
  return diagnosed(*failing, session.asked(), options);
}

namespace {

class Trials {
 public:
  Trials(const Plan& plan, IsolateOptions isolate, LawAsker& asker, const std::atomic<bool>& interrupted)
      : plan_(plan), isolate_(std::move(isolate)), asker_(asker), interrupted_(interrupted) {}

  // Returns the record of the case that breaks the law; nothing if none of `cases` cases does.
  Result<std::optional<Record>> run(const Law& law, Random random, int cases) {
    constexpr int draws_per_case = 20;  // no law applies to most refusals and large cases of a plan
    int tried = 0;
    for (int draw = 0; draw < draws_per_case * cases && tried < cases && !interrupted_.load(); ++draw) {
      const std::size_t place = static_cast<std::size_t>(random.below(plan_.cases.size()));
      const Case question = plan_.cases[place].question();
      auto finding = try_law(law, question, asker_);
      if (!finding && interrupted_.load()) break;  // the call was abandoned
      if (!finding) return finding.error();
      if (finding->word == LawWord::does_not_apply) continue;
      ++tried;
      ++tally_.tried;
      if (finding->word == LawWord::broken) return broken(law, question, *finding);
    }
    return std::optional<Record>{};
  }

  const LawTally& tally() const noexcept { return tally_; }

 private:
  Result<std::optional<Record>> broken(const Law& law, const Case& question, const LawFinding& finding) {
    ++tally_.broken;
    TRY(auto record, explained(finding, isolate_));
    record.law = law.name;
    Finding told = record.now();
    told.words = "the law '" + std::string(law.sentence) + "' is broken for " + to_string(question) + "\n" +
                 finding.evidence + "\n" + told.words;
    record.amendments.push_back({std::move(told)});
    return std::optional<Record>(std::move(record));
  }

  const Plan& plan_;
  IsolateOptions isolate_;
  LawAsker& asker_;
  const std::atomic<bool>& interrupted_;
  LawTally tally_;
};

}  // namespace

LawShare law_share(Tier tier, std::uint64_t seed) noexcept {
  switch (tier) {
    case Tier::smoke:
      return {seed, 8};
    case Tier::core:
      return {seed, 40};
    case Tier::full:
      return {seed, 400};
    case Tier::large:
      break;
  }
  return {seed, 0};
}

Result<LawTally> try_laws(const Plan& plan, const LawShare& share, const IsolateOptions& isolate,
                          const std::atomic<bool>& interrupted,
                          const std::function<Result<Done>(const Record&)>& on_record) {
  const bool has_laws = !share.shard || std::cmp_less_equal(share.shard->index, all_laws().size());
  if (share.cases == 0 || plan.cases.empty() || !has_laws) return LawTally{};
  IsolateOptions patient = isolate;
  patient.stop = [&interrupted] { return interrupted.load(); };
  TRY(const auto asker, IsolatedLawAsker::open(patient));
  Trials trials(plan, patient, *asker, interrupted);
  for (const Law& law : all_laws()) {
    const bool concurrent = law.name == "concurrent-calls";
    const auto index = static_cast<std::uint64_t>(&law - all_laws().data());
    if (share.shard && !share.shard->has_place(static_cast<std::size_t>(index))) continue;
    TRY(const auto record,
        trials.run(law, Random(share.seed ^ mix(index)), concurrent ? (share.cases + 7) / 8 : share.cases));
    if (!record) continue;
    if (const auto handed = on_record(*record); !handed) return handed.error();
    if (record->now().fault == Fault::timeout) break;
  }
  return trials.tally();
}

}  // namespace certile::conformance
