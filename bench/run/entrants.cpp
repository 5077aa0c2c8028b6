#include "bench/run/entrants.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "backends/registry/registry.hpp"
#include "bench/run/suite.hpp"
#include "bench/timing/measure.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/installation.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/tensor.hpp"

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

// A backend that is asked in its own process.
class AskedEntrant : public Entrant {
 public:
  explicit AskedEntrant(const Options& options) : options_(options) {
    facts_.name = options.spelling;
    facts_.in_process = false;
    facts_.self_timed = facts_.allocates = backends::worker_command(options.spelling).has_value();
  }
  // Starts the process if none runs.
  Result<Done> start() {
    if (asker_) return Done{};
    conformance::IsolateOptions options;
    options.program = options_.program;
    options.spelling = options_.spelling;
    options.keeps_environment = true;  // for settings of a backend's threads
    options.interrupted = &conformance::interrupted();
    options.stop = [] { return conformance::interrupted().load(); };
    options.layout.request_bytes = std::max<std::size_t>(options.layout.request_bytes, options_.largest_case);
    options.memory_limit += copies_of_a_case * options_.largest_case;
    auto asker = conformance::open_asker(options);
    if (!asker) return asker.error();
    asker_ = *std::move(asker);
    own_name_ = asker_->claim().name;
    facts_.version = conformance::printable_name(asker_->claim().version);
    definitions_ = asker_->claim().definitions;
    return Done{};
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    if (const auto started = start(); !started) return set_refusal(subject, started.error());
    conformance::Request request = conformance::plain_request(question, expected.shape());
    for (std::size_t begin = 0; begin < expected.bytes().size();) {
      request.plain = conformance::PlainCalls{.again = begin > 0, .begin = begin};
      const auto part = asker_->part_of_output(request, static_cast<int>(options_.patience.count()));
      if (!part) return set_refusal(subject, part.error());
      if (const auto wrong = wrong_byte(expected, begin, *part)) {
        subject.verdict = Verdict::fail;
        subject.why = "byte " + std::to_string(*wrong) + " of the output is wrong";
        return;
      }
      begin += part->size();
    }
    subject.verdict = Verdict::pass;
  }
  std::unique_ptr<TimedCall> enter(const Case& question, CaseMemory&) override {
    return std::make_unique<AskedCall>(
        *asker_, conformance::plain_request(question, *oracle::output_shape(question)), facts_.self_timed);
  }

 protected:
  Options options_;
  std::unique_ptr<conformance::Asker> asker_;  // null: its process was not started
};

class BuiltInEntrant : public AskedEntrant {
 public:
  BuiltInEntrant(const Options& options, backends::Plugin backend)
      : AskedEntrant(options), backend_(std::move(backend)) {
    facts_.version = backend_.claim().version;
    definitions_ = backend_.claim().definitions;
    facts_.in_process = true;
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    AskedEntrant::check(question, expected, subject);
    asker_.reset();  // its process has large buffers
  }
  std::unique_ptr<TimedCall> enter(const Case& question, CaseMemory& memory) override {
    return std::make_unique<TableCall>(backend_.table(), question.definition, memory);
  }

 private:
  backends::Plugin backend_;
};

}  // namespace

Result<std::unique_ptr<Entrant>> Entrant::open(const Options& options) {
  if (backends::is_library(options.spelling) || backends::worker_command(options.spelling)) {
    auto entrant = std::make_unique<AskedEntrant>(options);
    if (auto started = entrant->start(); !started) return started.error();
    return std::unique_ptr<Entrant>(std::move(entrant));
  }
  auto backend = backends::open_backend(options.spelling);
  if (!backend) return backend.error();
  return std::unique_ptr<Entrant>(new BuiltInEntrant(options, *std::move(backend)));
}

namespace {

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

Result<Entrants> Entrants::open(Options options) {
  Entrants opened(std::move(options));
  std::vector<Spelled> entered = read_spellings(opened.options_.backends);
  if (opened.options_.baseline) {
    const Spelled baseline = read_spelling(*opened.options_.baseline);
    opened.baseline_ = baseline.name;
    add_once(entered, baseline);
  }
  for (const Spelled& each : entered)
    if (const auto failure = conformance::check_spelling(each.spelling);
        failure && failure->exit_code == exit_bad_command)
      return Error{Error::Code::unsupported, failure->sentence};
  for (const Spelled& each : entered)
    opened.add(each.name, each.spelling);
  opened.use_own_names();
  return opened;
}

int Entrants::count() const noexcept {
  return static_cast<int>(
      std::ranges::count_if(listed_, [](const Listed& listed) { return listed.entrant != nullptr; }));
}

void Entrants::add(const std::string& name, const std::string& spelling) {
  Listed listed;
  auto entrant = Entrant::open({.program = options_.program,
                                .spelling = spelling,
                                .patience = options_.patience,
                                .largest_case = options_.largest_case});
  if (entrant) listed.facts = (*entrant)->facts();
  listed.spelling = spelling;
  listed.facts.name = name;
  if (entrant) {
    listed.entrant = *std::move(entrant);
  } else {
    listed.facts.in_process = false;
    const auto wrong = conformance::check_spelling(spelling);
    leave_out(listed, wrong ? Error{Error::Code::unsupported, wrong->sentence} : entrant.error());
  }
  listed_.push_back(std::move(listed));
}

void Entrants::use_own_names() {
  std::vector<std::string> names;
  for (const Listed& listed : listed_) {
    const bool is_named = listed.facts.name != listed.spelling;
    const std::string own = listed.entrant && !is_named ? listed.entrant->own_name() : "";
    names.push_back(own.empty() ? listed.facts.name : own);
  }
  for (std::size_t index = 0; index < listed_.size(); ++index) {
    std::string& shown = listed_[index].facts.name;
    if (std::ranges::count(names, names[index]) > 1 || shown == names[index]) continue;
    if (baseline_ == shown) baseline_ = names[index];
    shown = names[index];
  }
}

void Entrants::leave_out(Listed& listed, const Error& why) {
  listed.entrant.reset();
  listed.facts.why = conformance::printable(conformance::first_line(why.what));
  exit_code_ = exit_not_loaded;
  options_.progress.note(conformance::printable(listed.facts.name) +
                         " is left out: " + conformance::printable_lines(why.what));
}

void Entrants::judge_in_rig(const std::vector<Case>& cases) {
  for (Listed& listed : listed_) {
    if (!listed.entrant || cases.empty() || options_.stop()) continue;
    options_.progress.show("checking " + conformance::printable(listed.facts.name));
    std::vector<Case> asked;
    for (const Case& question : cases)
      asked.push_back(as_claimed(question, listed.entrant->definitions()));
    auto opinions = bench::judge_in_rig(options_.program, listed.spelling, asked);
    if (opinions)
      listed.opinions = *std::move(opinions);
    else
      leave_out(listed, opinions.error());
  }
}

std::vector<Subject> Entrants::judged(const Case& question, std::uint64_t output_bytes) {
  std::vector<Subject> subjects;
  std::optional<Result<Tensor>> answer;
  for (Listed& listed : listed_) {
    Subject subject = listed.facts;
    const Case asked = listed.entrant ? as_claimed(question, listed.entrant->definitions()) : question;
    if (asked != question) subject.version += ", asked as " + std::string(name(asked.definition));
    const auto opinion = listed.opinions.find(to_string(asked));
    if (opinion != listed.opinions.end()) {
      subject.verdict = opinion->second.verdict;
      subject.why = opinion->second.why;
    } else if (listed.entrant && output_bytes > largest_in_rig && !options_.stop()) {
      if (!answer) answer = large_answer(question);
      if (*answer)
        listed.entrant->check(asked, **answer, subject);
      else
        subject.why = answer->error().what;
    }
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

std::unique_ptr<TimedCall> Entrants::enter(std::size_t index, const Case& question, CaseMemory& memory) {
  Entrant& entrant = *listed_[index].entrant;
  return entrant.enter(as_claimed(question, entrant.definitions()), memory);
}

}  // namespace certile::bench
