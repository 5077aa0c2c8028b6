#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/report/report.hpp"
#include "bench/run/statistics.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/text/output_file.hpp"

namespace certile::bench {
namespace {

using conformance::Json;

// The `benchmarks` of Google's file, with a family number for each series of rounds, by which a reader finds
// the series: names may repeat, numbers do not.
class Benchmarks {
 public:
  // Adds a series; returns what the context must contain about it.
  Json add(const TimedCase& timed, const std::string& thing, Temperature temperature, const Rounds& rounds,
           int threads, const std::vector<double>& shares) {
    const std::string name = thing + "/" + timed.literal + (temperature == Temperature::cold ? "/cold" : "");
    const std::vector<double>& times = rounds.nanoseconds;
    for (std::size_t round = 0; round < times.size(); ++round) {
      Json& entry = append(name, "iteration", times.size(), threads, times[round], rounds.cores);
      entry["repetition_index"] = round;
      entry["iterations"] = rounds.calls;
      entry["bytes_per_second"] = static_cast<double>(timed.output_bytes) / times[round] * 1e9;
      entry["cores"] = rounds.cores;
      if (round < shares.size()) entry["share_of_limit"] = shares[round];
    }
    if (times.size() > 1) add_aggregates(name, rounds, threads);
    return {{"family", family_++}, {"calls", rounds.calls}, {"cores", rounds.cores}};
  }

  // Adds a subject that was not timed: in Google's terms, an error.
  void add_untimed(const TimedCase& timed, const Subject& subject) {
    Json& entry = append(subject.name + "/" + timed.literal, "iteration", 1, 1, 0, 0);
    entry["repetition_index"] = 0;
    entry["iterations"] = 0;
    entry["error_occurred"] = true;
    entry["error_message"] = std::string(name(subject.verdict)) + ": " + subject.why;
    ++family_;
  }

  Json taken() { return std::move(entries_); }

 private:
  Json& append(const std::string& name, const char* type, std::size_t repetitions, int threads,
               double nanoseconds, double cores) {
    entries_.push_back({{"name", name},
                        {"family_index", family_},
                        {"per_family_instance_index", 0},
                        {"run_name", name},
                        {"run_type", type},
                        {"repetitions", repetitions},
                        {"threads", threads},
                        {"real_time", nanoseconds},
                        {"cpu_time", nanoseconds * cores},
                        {"time_unit", "ns"}});
    return entries_.back();
  }

  void add_aggregates(const std::string& name, const Rounds& rounds, int threads) {
    const std::size_t count = rounds.nanoseconds.size();
    double mean = 0, squares = 0;
    for (const double time : rounds.nanoseconds)
      mean += time / static_cast<double>(count);
    for (const double time : rounds.nanoseconds)
      squares += (time - mean) * (time - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(count - 1));
    const auto add_aggregate = [&](const std::string& aggregate, const char* unit, double value,
                                   double cores) {
      Json& entry = append(name, "aggregate", count, threads, value, cores);
      entry["name"] = name + "_" + aggregate;
      entry["aggregate_name"] = aggregate;
      entry["aggregate_unit"] = unit;
      entry["iterations"] = count;
    };
    add_aggregate("mean", "time", mean, rounds.cores);
    add_aggregate("median", "time", median(rounds.nanoseconds), rounds.cores);
    add_aggregate("stddev", "time", deviation, rounds.cores);
    add_aggregate("cv", "percentage", deviation / mean, 1);
  }

  Json entries_ = Json::array();
  int family_ = 0;
};

Json subject_json(const BenchRun& run, const TimedCase& timed, const Subject& subject,
                  Benchmarks& benchmarks) {
  Json json = {{"name", subject.name},
               {"version", subject.version},
               {"verdict", name(subject.verdict)},
               {"why", subject.why},
               {"in_process", subject.in_process},
               {"self_timed", subject.self_timed},
               {"allocates", subject.allocates}};
  bool was_timed = false;
  for (const Temperature temperature : temperatures) {
    const auto figures = measured(run, timed, subject, temperature);
    if (!figures) continue;
    const std::vector<double> shares = figures->share ? figures->share->rounds : std::vector<double>{};
    json[std::string(name(temperature))] = benchmarks.add(
        timed, subject.name, temperature, *rounds_of(subject, temperature), figures->threads, shares);
    was_timed = true;
  }
  if (!was_timed) benchmarks.add_untimed(timed, subject);
  return json;
}

Json limit_json(const TimedCase& timed, const Limit& limit, Benchmarks& benchmarks) {
  Json json = {{"probe", name(limit.probe)}, {"threads", limit.threads}};
  const std::string thing = "limit:" + std::string(name(limit.probe)) + ":" + std::to_string(limit.threads);
  for (const Temperature temperature : temperatures) {
    if (const Rounds* rounds = rounds_of(limit, temperature)) {
      json[std::string(name(temperature))] =
          benchmarks.add(timed, thing, temperature, *rounds, limit.threads, {});
    }
  }
  return json;
}

Json case_json(const BenchRun& run, const TimedCase& timed, Benchmarks& benchmarks) {
  Json subjects = Json::array(), limits = Json::array();
  for (const Subject& subject : timed.subjects)
    subjects.push_back(subject_json(run, timed, subject, benchmarks));
  for (const Limit& limit : timed.limits)
    limits.push_back(limit_json(timed, limit, benchmarks));
  return {{"literal", timed.literal},
          {"regime", timed.regime},
          {"words", timed.words},
          {"input_bytes", timed.input_bytes},
          {"output_bytes", timed.output_bytes},
          {"innermost_bytes", timed.innermost_bytes},
          {"subjects", std::move(subjects)},
          {"limits", std::move(limits)}};
}

Json machine_json(const Machine& machine) {
  return {{"processor", machine.processor},
          {"governor", machine.governor},
          {"system", machine.system},
          {"compiler", machine.compiler},
          {"flags", machine.flags},
          {"commit", machine.commit},
          {"pages", machine.pages},
          {"benchmark_library", machine.benchmark_library},
          {"cores", machine.cores},
          {"level1_bytes", machine.level1_bytes},
          {"level2_bytes", machine.level2_bytes},
          {"level3_bytes", machine.level3_bytes}};
}

Json caches_json(const Machine& machine) {
  Json caches = Json::array();
  const std::uint64_t sizes[] = {machine.level1_bytes, machine.level2_bytes, machine.level3_bytes};
  for (int level = 1; level <= 3; ++level) {
    const std::uint64_t size = sizes[level - 1];
    if (size == 0) continue;
    caches.push_back({{"type", level == 1 ? "Data" : "Unified"},
                      {"level", level},
                      {"size", size},
                      {"num_sharing", 0}});  // not known
  }
  return caches;
}

}  // namespace

std::string to_json(const BenchRun& run) {
  Benchmarks benchmarks;
  Json cases = Json::array();
  for (const TimedCase& timed : run.cases)
    cases.push_back(case_json(run, timed, benchmarks));
  Json facts = {{"format", bench_format},   {"command", run.command},
                {"suite", run.suite},       {"baseline", run.baseline},
                {"rounds", run.rounds},     {"seed", run.seed},
                {"rules", rules_text(run)}, {"machine", machine_json(run.machine)},
                {"cases", std::move(cases)}};
  const bool is_debug = run.machine.benchmark_library.find("debug") != std::string::npos;
  Json context = {{"date", run.date},
                  {"executable", "certile-bench"},
                  {"num_cpus", run.machine.cores},
                  {"cpu_scaling_enabled", run.machine.governor == "powersave"},
                  {"caches", caches_json(run.machine)},
                  {"library_build_type", is_debug ? "debug" : "release"},
                  {"certile", std::move(facts)}};
  const Json whole = {{"context", std::move(context)}, {"benchmarks", benchmarks.taken()}};
  return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Done> write_json(const std::string& path, const BenchRun& run) {
  return conformance::write_whole_file(path, to_json(run));
}

}  // namespace certile::bench
