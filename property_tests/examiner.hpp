#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/laws/law_trial.hpp"
#include "conformance/run/session.hpp"
#include "property_tests/property.hpp"
#include "reference/values/result.hpp"

namespace certile::property_tests {

using conformance::LawWord;

// The result of an examination.
struct Examination {
  LawWord word = LawWord::holds;
  std::string evidence;  // of a broken law: how its answers contradict each other
  std::optional<conformance::Record>
      record;  // of a broken property: the wrong answer, as `certile run` shows it
  std::vector<conformance::PlannedCase> asked = {};  // the calls of a broken law
};

// An examiner of one backend, in its isolated process: a crash or a hang is an answer like others.
class Examiner {
 public:
  static Result<Examiner> open(const conformance::IsolateOptions& options);

  const backends::Claim& claim() const noexcept { return session_.claim(); }

  // Examines a case in the process that answered the previous ones.  Errors: io, backend_failed (certile
  // itself is wrong).
  Result<Examination> examine(const Property& property, const Case& question);
  // Examines a case in a fresh process, so that only the case decides; several times if threads may disturb
  // each other, until the property is broken.
  Result<Examination> examine_alone(const Property& property, const Case& question);
  // Adds to the last examination what it takes to see the wrong answer, as the record's `reproduce`: the case
  // alone, or the shortest history after which it fails.
  Result<Examination> explain(const Property& property, Examination broken);

  // Limits calls to a small part of the time limit, after one has hung.
  void wait_less();
  void wait_as_told();

 private:
  void wait_for(int milliseconds);
  Examiner(const conformance::IsolateOptions& options, conformance::Session session,
           std::unique_ptr<conformance::IsolatedLawAsker> asker);
  Result<Examination> agreement(const Case& question);
  Result<Examination> law(const conformance::Law& law, const Case& question);

  conformance::IsolateOptions options_;
  conformance::Session session_;
  std::unique_ptr<conformance::IsolatedLawAsker> asker_;
  std::deque<conformance::PlannedCase> planned_;  // the session's cases, to which it keeps pointers
  std::optional<conformance::Judged> last_;       // the session's last judgement
};

}  // namespace certile::property_tests
