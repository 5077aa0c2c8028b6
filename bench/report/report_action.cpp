#include "bench/report/report_action.hpp"

#include <fmt/format.h>

#include "bench/report/figure_text.hpp"
#include "bench/run/bench_names.hpp"
#include "bench/run/shares.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile {
namespace {

// Half of what lies between the tenth and the ninth tenth of the rounds: the action prints it behind "±".
double half_spread(const std::vector<double>& values) {
  return (quantile(values, 0.9) - quantile(values, 0.1)) / 2;
}

Json entry_of(const TimedCase& timed, const Subject& subject, Temperature temperature,
              const Measured& figures, ActionMeasure measure) {
  const Rounds& rounds = *rounds_of(subject, temperature);
  const bool is_share = measure == ActionMeasure::share;
  const double value = is_share ? 100 * figures.share->median : figures.nanoseconds.median;
  const double spread = is_share ? 100 * half_spread(figures.share->rounds) : half_spread(rounds.nanoseconds);
  const std::string limit =
      figures.limit == nullptr ? "" : fmt::format("\nlimit: {}", limit_text(*figures.limit));
  return {{"name", fmt::format("{}/{}{}", printable_name(subject.name), timed.literal,
                               temperature == Temperature::cold ? "/cold" : "")},
          {"unit", is_share ? "% of the limit" : "ns"},
          {"value", value},
          {"range", fmt::format("± {:.2f}", spread)},
          {"extra",
           fmt::format("regime: {}\nrounds: {}\ncalls in each: {}\nGB/s: {}{}", printable(timed.regime),
                       rounds.nanoseconds.size(), rounds.calls, rate_text(figures.bytes_per_second), limit)}};
}

}  // namespace

std::string action_json(const BenchRun& run, ActionMeasure measure) {
  Json entries = Json::array();
  for (const TimedCase& timed : run.cases) {
    for (const Subject& subject : timed.subjects) {
      for (const Temperature temperature : {Temperature::hot, Temperature::cold}) {
        const auto figures = measured(run, timed, subject, temperature);
        if (!figures || (measure == ActionMeasure::share && !figures->share)) continue;
        entries.push_back(entry_of(timed, subject, temperature, *figures, measure));
      }
    }
  }
  return entries.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Done> write_action(const std::string& path, const BenchRun& run, ActionMeasure measure) {
  return write_whole_file(path, action_json(run, measure));
}

}  // namespace certile
