#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "bench/report/report_json.hpp"
#include "bench/run/bench_names.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/text/printable.hpp"

// The other half of report_json.cpp.
namespace certile {
namespace {

template <class Whole>
Whole whole(const Json& json) {
  Whole value;
  get_whole(json, value);
  return value;
}

// A file that is JSON, but does not say what it should.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Series = std::map<int, std::vector<double>>;  // by family

// The rounds of each family, in their order.
Series series_of(const Json& benchmarks) {
  Series series;
  for (const Json& entry : benchmarks) {
    if (entry.at("run_type") != "iteration" || entry.value("error_occurred", false)) continue;
    std::vector<double>& times = series[whole<int>(entry.at("family_index"))];
    const double time = entry.at("real_time").get<double>();
    if (!std::isfinite(time) || time <= 0) throw Malformed("a time is not positive");
    if (entry.at("time_unit") != "ns") throw Malformed("a time is not in nanoseconds");
    if (whole<std::size_t>(entry.at("repetition_index")) != times.size())
      throw Malformed("repetitions are missing or out of order");
    times.push_back(time);
  }
  return series;
}

std::optional<Rounds> rounds_from(const Json& thing, const char* temperature, const Series& series) {
  const auto found = thing.find(temperature);
  if (found == thing.end()) return std::nullopt;
  const auto times = series.find(whole<int>(found->at("family")));
  if (times == series.end()) throw Malformed("the rounds of a series are missing");
  Rounds rounds;
  rounds.nanoseconds = times->second;
  get_whole(found->at("calls"), rounds.calls);
  found->at("cores").get_to(rounds.cores);
  return rounds;
}

Subject subject_from(const Json& json, const Series& series) {
  Subject subject;
  json.at("name").get_to(subject.name);
  json.at("version").get_to(subject.version);
  const auto verdict = verdict_named(json.at("verdict").get_ref<const std::string&>());
  if (!verdict) throw Malformed("a verdict is not one that certile knows");
  subject.verdict = *verdict;
  json.at("why").get_to(subject.why);
  json.at("in_process").get_to(subject.in_process);
  json.at("self_timed").get_to(subject.self_timed);
  json.at("allocates").get_to(subject.allocates);
  subject.hot = rounds_from(json, "hot", series);
  subject.cold = rounds_from(json, "cold", series);
  return subject;
}

Limit limit_from(const Json& json, const Series& series) {
  Limit limit;
  const auto probe = probe_named(json.at("probe").get_ref<const std::string&>());
  if (!probe) throw Malformed("a limit is not one that certile knows");
  limit.probe = *probe;
  get_whole(json.at("threads"), limit.threads);
  limit.hot = rounds_from(json, "hot", series);
  limit.cold = rounds_from(json, "cold", series);
  return limit;
}

TimedCase case_from(const Json& json, const Series& series) {
  TimedCase timed;
  json.at("literal").get_to(timed.literal);
  json.at("regime").get_to(timed.regime);
  json.at("words").get_to(timed.words);
  get_whole(json.at("input_bytes"), timed.input_bytes);
  get_whole(json.at("output_bytes"), timed.output_bytes);
  get_whole(json.at("innermost_bytes"), timed.innermost_bytes);
  for (const Json& subject : json.at("subjects"))
    timed.subjects.push_back(subject_from(subject, series));
  for (const Json& limit : json.at("limits"))
    timed.limits.push_back(limit_from(limit, series));
  return timed;
}

Machine machine_from(const Json& json) {
  Machine machine;
  json.at("processor").get_to(machine.processor);
  json.at("governor").get_to(machine.governor);
  json.at("system").get_to(machine.system);
  json.at("compiler").get_to(machine.compiler);
  json.at("flags").get_to(machine.flags);
  json.at("commit").get_to(machine.commit);
  json.at("pages").get_to(machine.pages);
  json.at("benchmark_library").get_to(machine.benchmark_library);
  get_whole(json.at("cores"), machine.cores);
  get_whole(json.at("level1_bytes"), machine.level1_bytes);
  get_whole(json.at("level2_bytes"), machine.level2_bytes);
  get_whole(json.at("level3_bytes"), machine.level3_bytes);
  return machine;
}

BenchRun run_from(const Json& file) {
  const Json& context = file.at("context");
  if (!context.contains("certile"))
    throw Malformed("written by another program than certile-bench: it has no context.certile");
  const Json& facts = context.at("certile");
  if (whole<int>(facts.at("format")) > bench_format)
    throw Malformed("written by a newer certile-bench, in a format that this one does not know");
  BenchRun run;
  run.machine = machine_from(facts.at("machine"));
  context.at("date").get_to(run.date);
  facts.at("command").get_to(run.command);
  facts.at("suite").get_to(run.suite);
  facts.at("baseline").get_to(run.baseline);
  get_whole(facts.at("rounds"), run.rounds);
  get_whole(facts.at("seed"), run.seed);
  const Series series = series_of(file.at("benchmarks"));
  for (const Json& timed : facts.at("cases"))
    run.cases.push_back(case_from(timed, series));
  return run;
}

Error bad(const std::string& why) {
  return {Error::Code::bad_literal, why};
}

}  // namespace

Result<BenchRun> run_from_json(std::string_view text) {
  const Json whole = Json::parse(text, nullptr, false);
  if (whole.is_discarded()) return bad("not JSON, or cut short");
  if (!whole.is_object() || !whole.contains("context") || !whole.contains("benchmarks"))
    return bad("not a benchmark's result: it has no context and no benchmarks");
  try {
    return run_from(whole);
  } catch (const Malformed& malformed) {
    return bad(malformed.what());
  } catch (const Json::exception& exception) {
    return bad(std::string("malformed: ") + exception.what());
  }
}

Result<BenchRun> read_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text)
    return Error{Error::Code::io, "cannot read " + printable(path) + ": " + std::strerror(errno)};
  auto run = run_from_json(text.str());
  if (!run) return Error{run.error().code, printable(path) + ": " + printable(run.error().what)};
  return run;
}

}  // namespace certile
