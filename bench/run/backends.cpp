#include "bench/run/backends.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "backends/registry/registry.hpp"
#include "bench/run/suite.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/installation.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/second/tile_by_copies.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

constexpr int call_limit = 60'000;  // milliseconds; a batch has as much for each of its calls
// The number of copies of the largest case for which a backend gets memory, added to the usual limit.
constexpr std::uint64_t copies_of_a_case = 8;

void set_refusal(Subject& subject, const Error& error) {
  subject.verdict = error.code == Error::Code::unsupported ? Verdict::unsupported
                    : error.code == Error::Code::io        ? Verdict::not_run
                                                           : Verdict::fail;
  subject.why = conformance::printable(error.what);
}

// Returns the second oracle's answer.  Errors: out_of_memory, and unsupported for strings, whose views mean
// nothing to another process.
Result<Tensor> large_answer(const Case& question) {
  if (question.data.type() == ElementType::string)
    return Error{Error::Code::unsupported, "so large a string tensor is not judged"};
  try {
    return second::tile_by_copies(question, data_of(question));
  } catch (const std::bad_alloc&) {
    return Error{Error::Code::out_of_memory, "no memory for the answer"};
  }
}

// Returns the first wrong byte of the output, of which `part` begins at `begin`.  Bits after the last element
// do not count.
std::optional<std::size_t> wrong_byte(const Tensor& expected, std::size_t begin,
                                      std::span<const std::byte> part) {
  const std::span<const std::byte> due = expected.bytes().subspan(begin);
  if (part.empty() || part.size() > due.size()) return begin;
  if (std::memcmp(part.data(), due.data(), part.size()) == 0) return std::nullopt;
  const auto differs = std::ranges::mismatch(part, due).in1;
  const auto at = static_cast<std::size_t>(differs - part.begin());
  const bool is_in_padding =
      is_packed(expected.type()) && at + 1 == due.size() &&
      ((*differs ^ due[at]) & used_bits_of_last_byte(expected.type(), expected.count())) == std::byte{0};
  return is_in_padding ? std::nullopt : std::optional(begin + at);
}

// A library or a worker, timed in its process: by that process's clock, or by its own.
class AskedCall : public TimedCall {
 public:
  AskedCall(conformance::Asker& asker, conformance::Request request, bool is_hot_only)
      : asker_(asker), request_(std::move(request)), is_hot_only_(is_hot_only) {}
  bool can(Temperature temperature) const noexcept override {
    return temperature == Temperature::hot || !is_hot_only_;
  }
  bool is_elsewhere() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override {
    const auto calls = static_cast<std::int64_t>(state.max_iterations);
    request_.plain = conformance::PlainCalls{
        .timed = calls, .cold = temperature == Temperature::cold, .again = has_asked_};
    const auto took =
        asker_.time(request_, call_limit * static_cast<int>(std::min<std::int64_t>(calls + 1, 100)));
    if (!took) return state.SkipWithError(took.error().what.c_str());
    has_asked_ = true;
    const double seconds = 1e-9 * static_cast<double>(took->nanoseconds);
    while (state.KeepRunningBatch(calls))
      state.SetIterationTime(seconds);
    state.counters[processor_seconds] = 1e-9 * static_cast<double>(took->processors);
  }

 private:
  conformance::Asker& asker_;
  conformance::Request request_;
  bool is_hot_only_;
  bool has_asked_ = false;
};

struct Spelled {
  std::string name, spelling;
};

// Reads NAME=BACKEND, which is BACKEND under another name; the name of a runtime is spelled as its worker.
Spelled read_spelling(const std::string& word) {
  static const auto installation = conformance::Installation::of_this_program();
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const auto end = word.find_first_not_of(letters);
  if (end == word.npos || end == 0 || word[end] != '=') return {word, installation.spelling_of(word)};
  return {word.substr(0, end), installation.spelling_of(word.substr(end + 1))};
}

// Adds each name once.
void add_once(std::vector<Spelled>& all, Spelled spelled) {
  if (std::ranges::find(all, spelled.name, &Spelled::name) == all.end()) all.push_back(std::move(spelled));
}

std::vector<Spelled> read_spellings(const std::vector<std::string>& words) {
  std::vector<Spelled> all;
  for (const std::string& word : words)
    add_once(all, read_spelling(word));
  if (!all.empty()) return all;
  for (const backends::BuiltIn& each : backends::built_in_backends())
    if (each.unavailable().empty()) all.push_back({std::string(each.name), std::string(each.name)});
  return all;
}

}  // namespace

Result<Done> Backends::open() {
  std::vector<Spelled> spelled = read_spellings(options_.backends);
  if (options_.baseline) {
    const Spelled baseline = read_spelling(*options_.baseline);
    baseline_ = baseline.name;
    add_once(spelled, baseline);
  }
  for (const Spelled& each : spelled)
    if (const auto failure = conformance::check_spelling(each.spelling);
        failure && failure->exit_code == exit_bad_command)
      return Error{Error::Code::unsupported, failure->sentence};
  for (const Spelled& each : spelled) {
    Backend& backend = all_.emplace_back();
    backend.spelling = each.spelling;
    backend.facts.name = each.name;
    backend.facts.in_process = false;
    if (const auto opened = open(backend); !opened) {
      const auto wrong = conformance::check_spelling(each.spelling);
      leave_out(backend, wrong ? Error{Error::Code::unsupported, wrong->sentence} : opened.error());
    }
  }
  use_own_names();
  return Done{};
}

// Opens a backend.  Errors: as open_backend's, in one sentence; backend_failed if its process ended.
Result<Done> Backends::open(Backend& backend) {
  const bool is_worker = backends::worker_command(backend.spelling).has_value();
  if (is_worker || backends::is_library(backend.spelling)) {
    if (auto started = start_process(backend); !started) return started;
    backend.facts.self_timed = backend.facts.allocates = is_worker;
  } else {
    auto plugin = backends::open_backend(backend.spelling);
    if (!plugin) return plugin.error();
    backend.facts.version = plugin->claim().version;
    backend.facts.in_process = true;
    backend.definitions = plugin->claim().definitions;
    backend.built_in.emplace(*std::move(plugin));
  }
  backend.is_open = true;
  return Done{};
}

// Starts the backend's process if none runs.
Result<Done> Backends::start_process(Backend& backend) {
  if (backend.asker) return Done{};
  conformance::IsolateOptions options;
  options.program = options_.program;
  options.spelling = backend.spelling;
  options.keeps_environment = true;  // for settings of a backend's threads
  options.interrupted = &conformance::interrupted();
  options.stop = [] { return conformance::interrupted().load(); };
  options.layout.request_bytes = std::max<std::size_t>(options.layout.request_bytes, options_.largest_case);
  options.memory_limit += copies_of_a_case * options_.largest_case;
  auto asker = conformance::open_asker(options);
  if (!asker) return asker.error();
  backend.asker = *std::move(asker);
  backend.own_name = backend.asker->claim().name;
  backend.facts.version = conformance::printable_name(backend.asker->claim().version);
  backend.definitions = backend.asker->claim().definitions;
  return Done{};
}

void Backends::use_own_names() {
  std::vector<std::string> names;
  for (const Backend& backend : all_) {
    const bool is_named = backend.facts.name != backend.spelling;
    names.push_back(is_named || backend.own_name.empty() ? backend.facts.name : backend.own_name);
  }
  for (std::size_t index = 0; index < all_.size(); ++index) {
    std::string& shown = all_[index].facts.name;
    if (std::ranges::count(names, names[index]) > 1 || shown == names[index]) continue;
    if (baseline_ == shown) baseline_ = names[index];
    shown = names[index];
  }
}

void Backends::leave_out(Backend& backend, const Error& why) {
  backend.is_open = false;
  backend.built_in.reset();
  backend.asker.reset();
  backend.facts.why = conformance::printable(conformance::first_line(why.what));
  exit_code_ = exit_not_loaded;
  progress_.note(conformance::printable(backend.facts.name) +
                 " is left out: " + conformance::printable_lines(why.what));
}

void Backends::judge(const std::vector<TimedCase>& cases) {
  for (Backend& backend : all_) {
    if (!backend.is_open || conformance::interrupted()) continue;
    conformance::Plan plan;
    for (const TimedCase& each : cases)
      if (each.output_bytes <= largest_in_rig)
        plan.cases.push_back(conformance::planned_case(as_claimed(each.question, backend.definitions)));
    if (plan.cases.empty()) return;
    progress_.show("checking " + conformance::printable(backend.facts.name));
    conformance::RunOptions options;
    options.isolate.program = options_.program;
    options.isolate.spelling = backend.spelling;
    options.interrupted = &conformance::interrupted();
    std::map<std::string, Subject> judged;
    const auto ran = conformance::run_plan(plan, options, [&](const conformance::Record& record) {
      Subject& subject = judged.try_emplace(record.literal, backend.facts).first->second;
      subject.verdict = record.now().verdict;
      subject.why = subject.verdict == Verdict::pass ? "" : conformance::first_line(record.now().words);
      return Result<Done>(Done{});
    });
    if (ran)
      backend.judged = std::move(judged);
    else
      leave_out(backend, ran.error());
  }
}

std::vector<Subject> Backends::judged(const TimedCase& timed) {
  std::vector<Subject> subjects;
  std::optional<Result<Tensor>> answer;
  for (Backend& backend : all_) {
    const Case asked = backend.is_open ? as_claimed(timed.question, backend.definitions) : timed.question;
    const auto found = backend.judged.find(to_string(asked));
    const bool was_judged = found != backend.judged.end();
    Subject& subject = subjects.emplace_back(was_judged ? found->second : backend.facts);
    if (asked != timed.question) subject.version += ", asked as " + std::string(name(asked.definition));
    if (was_judged || !backend.is_open || timed.output_bytes <= largest_in_rig || conformance::interrupted())
      continue;
    if (!answer) answer = large_answer(timed.question);
    if (*answer)
      compare_whole(backend, asked, **answer, subject);
    else
      subject.why = answer->error().what;
  }
  return subjects;
}

// Makes the backend's process call it once, and compares every byte.  Sets verdict and why; not_run if no
// answer came within the patience.
void Backends::compare_whole(Backend& backend, const Case& question, const Tensor& expected,
                             Subject& subject) {
  if (const auto started = start_process(backend); !started) return set_refusal(subject, started.error());
  conformance::Request request = conformance::plain_request(question, expected.shape());
  subject.verdict = Verdict::pass;
  for (std::size_t begin = 0; begin < expected.bytes().size() && subject.verdict == Verdict::pass;) {
    request.plain = conformance::PlainCalls{.again = begin > 0, .begin = begin};
    const auto part = backend.asker->part_of_output(request, static_cast<int>(options_.patience.count()));
    if (!part) {
      set_refusal(subject, part.error());
    } else if (const auto wrong = wrong_byte(expected, begin, *part)) {
      subject.verdict = Verdict::fail;
      subject.why = "byte " + std::to_string(*wrong) + " of the output is wrong";
    } else {
      begin += part->size();
    }
  }
  if (backend.built_in) backend.asker.reset();  // its process has large buffers
}

std::unique_ptr<TimedCall> Backends::timed_call(std::size_t index, const Case& question, CaseMemory& memory) {
  const Backend& backend = all_[index];
  const Case asked = as_claimed(question, backend.definitions);
  if (backend.built_in)
    return std::make_unique<TableCall>(backend.built_in->table(), asked.definition, memory);
  return std::make_unique<AskedCall>(*backend.asker,
                                     conformance::plain_request(asked, *oracle::output_shape(asked)),
                                     backend.facts.self_timed);
}

}  // namespace certile::bench
