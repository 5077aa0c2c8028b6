#include "conformance/cli/replay.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include "conformance/certificate/worker_files.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t one_in = 100;

using Recorded = RecordedRun::Recorded;

std::vector<Recorded> chosen_from(const std::vector<Recorded>& cases, std::uint64_t seed) {
  std::vector<Recorded> chosen;
  std::mt19937_64 random(seed);
  std::ranges::sample(cases, std::back_inserter(chosen),
                      static_cast<std::ptrdiff_t>((cases.size() + one_in - 1) / one_in), random);
  return chosen;
}

Check binary_check(const RunHeader& header, const Claim& claim, const std::string& spelling) {
  const auto files = JudgedFiles::of(spelling);
  if (const auto why = files ? unknown_file_of(spelling, files->parts()) : std::nullopt)
    return {"binary", false, "it is not known which files " + printable(spelling) + " runs: " + *why};
  const std::string digest = files ? files->digest(claim) : files.error().what;
  if (digest == header.backend_digest) return {"binary", true, "the one of the records"};
  return {"binary", false,
          printable(spelling) + " is not the one of the records: its SHA-256 is " + printable(digest)};
}

}  // namespace

RecordListener listener_of(std::vector<RecordedRun>& runs) {
  return {[&runs](const RunHeader& header) {
            runs.push_back({header, {}});
          },
          [&runs](const Record& record) {
            const bool counts = record.law.empty() && record.judged.verdict != Verdict::not_run;
            if (counts)
              runs.back().cases.push_back({record.literal, record.judged.verdict, record.judged.fault});
          }};
}

Result<std::vector<Check>> replay(const std::vector<RecordedRun>& runs, const RunOptions& options,
                                  std::uint64_t seed) {
  if (runs.size() != 1)
    return Error{Error::Code::bad_literal,
                 "--replay is for the records of one run, and there are " + std::to_string(runs.size())};
  const RecordedRun& run = runs.front();
  const Started started = start_backend(options.isolate);
  if (!started.claim) return Error{Error::Code::io, started.failure->sentence};
  std::vector<Check> checks{binary_check(run.header, *started.claim, options.isolate.spelling)};
  const bool claims_the_same = *started.claim == run.header.claim;
  checks.push_back({"claim", claims_the_same,
                    claims_the_same ? "the one of the records" : "the backend claims something else"});

  const std::vector<Recorded> chosen = chosen_from(run.cases, seed);
  Plan plan;
  std::map<std::string, const Recorded*> recorded;
  for (const Recorded& each : chosen) {
    auto planned = parse_planned_case(each.literal);
    if (!planned) return planned.error();
    plan.cases.push_back(*std::move(planned));
    recorded[each.literal] = &each;
  }
  std::string wrong;
  std::int64_t wrongs = 0;
  const auto asked = run_plan(plan, options, [&](const Record& record) {
    const Recorded& before = *recorded.at(record.literal);
    const bool is_same = record.judged.verdict == before.verdict && record.judged.fault == before.fault;
    if (!is_same && ++wrongs == 1)
      wrong = "recorded as " + std::string(name(before.verdict)) + ", and now " +
              std::string(name(record.judged.verdict)) + ": " + printable(record.literal);
    return Result<Done>(Done{});
  });
  if (!asked) return asked.error();
  if (wrongs > 1) wrong += ", and " + with_thousands(wrongs - 1) + " more";
  const std::string how = counted(static_cast<std::int64_t>(chosen.size()), "case") + " of " +
                          with_thousands(static_cast<std::int64_t>(run.cases.size())) +
                          ", chosen by --replay-seed " + std::to_string(seed);
  checks.push_back(
      {"replay", wrongs == 0, how + (wrongs == 0 ? ": the verdicts of the records" : ": " + wrong)});
  return checks;
}

}  // namespace certile::conformance
