#include "property_tests/examiner.hpp"

#include <algorithm>
#include <utility>

#include "conformance/laws/try_laws.hpp"
#include "conformance/run/diagnosis.hpp"

namespace certile::property_tests {
namespace {

// More than once, because whether threads disturb each other is chance.
constexpr int tries_of_a_race = 5;
// In milliseconds: any small call finishes within this on a busy machine.
constexpr int least_time_limit = 100;

bool has_threads(const Property& property, const Case& question) {
  return question.placement.threads > 1 ||
         (property.law != nullptr && property.law->name == "concurrent-calls");
}

}  // namespace

Examiner::Examiner(const conformance::IsolateOptions& options, conformance::Session session,
                   std::unique_ptr<conformance::IsolatedLawAsker> asker)
    : options_(options), session_(std::move(session)), asker_(std::move(asker)) {}

Result<Examiner> Examiner::open(const conformance::IsolateOptions& options) {
  TRY(auto session, conformance::Session::open(options));
  TRY(auto asker, conformance::IsolatedLawAsker::open(options));
  return Examiner(options, std::move(session), std::move(asker));
}

Result<Examination> Examiner::agreement(const Case& question) {
  session_.listen([this](conformance::Judged judged) { last_ = std::move(judged); });
  last_.reset();
  planned_.push_back(conformance::planned_case(question));
  if (auto asked = session_.ask(planned_.back()); !asked) return asked.error();
  if (auto finished = session_.finish(); !finished) return finished.error();
  if (!last_) return Error{Error::Code::io, "the run was stopped before"};
  Examination found;
  if (last_->record.now().verdict == conformance::Verdict::not_run ||
      last_->record.now().verdict == conformance::Verdict::unsupported)
    found.word = LawWord::does_not_apply;
  if (last_->record.now().verdict != conformance::Verdict::fail) return found;
  found.word = LawWord::broken;
  found.record = last_->record;
  return found;
}

Result<Examination> Examiner::law(const conformance::Law& law, const Case& question) {
  TRY(auto tried, conformance::try_law(law, question, *asker_));
  return Examination{tried.word, std::move(tried.evidence), std::move(tried.record), std::move(tried.asked)};
}

Result<Examination> Examiner::examine(const Property& property, const Case& question) {
  return property.law == nullptr ? agreement(question) : law(*property.law, question);
}

Result<Examination> Examiner::examine_alone(const Property& property, const Case& question) {
  Examination found;
  for (int attempt = 0; attempt < (has_threads(property, question) ? tries_of_a_race : 1); ++attempt) {
    const auto fresh = property.law == nullptr ? session_.fresh() : asker_->fresh();
    if (!fresh) return fresh.error();
    TRY(auto examined, examine(property, question));
    found = std::move(examined);
    if (found.word == LawWord::broken) break;
  }
  return found;
}

void Examiner::wait_for(int milliseconds) {
  session_.set_time_limit(milliseconds);
  asker_->set_time_limit(milliseconds);
}

void Examiner::wait_less() {
  wait_for(std::min(options_.time_limit, std::max(options_.time_limit / 8, least_time_limit)));
}

void Examiner::wait_as_told() {
  wait_for(options_.time_limit);
}

Result<Examination> Examiner::explain(const Property& property, Examination broken) {
  if (property.law != nullptr) {
    auto record = conformance::explained({.record = broken.record, .asked = broken.asked}, options_);
    if (!record) return record.error();
    broken.record = *std::move(record);
    return broken;
  }
  if (!last_ || last_->record.now().verdict != conformance::Verdict::fail) return broken;
  TRY(auto record, conformance::diagnosed(*last_, session_.asked(), options_));
  broken.record = std::move(record);
  return broken;
}

}  // namespace certile::property_tests
