#include "bench/run/entrants.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "backends/registry/registry.hpp"
#include "bench/run/same_tiling.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/installation.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
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
