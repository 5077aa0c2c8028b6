#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/laws/law_asker.hpp"
#include "conformance/run/session.hpp"
#include "property_tests/property.hpp"
#include "reference/values/result.hpp"

namespace certile {

// What an examination came to.
struct Examination {
  LawWord word = LawWord::holds;
  std::string evidence;                 // of a law that is broken: how its answers contradict each other
  std::optional<Record> record;         // of a broken property: the wrong answer, as `certile run` shows it
  std::vector<std::string> asked = {};  // by a law that is broken
};

// Examines cases of one backend, all in its isolated process: a crash or a hang is an answer like others.
class Examiner {
 public:
  static Result<Examiner> open(const IsolateOptions& options);

  const Description& claim() const noexcept { return session_.claim(); }

  // In the process that answered the cases before.  Errors: io, backend_failed (certile itself is wrong).
  Result<Examination> examine(const Property& property, const Case& question);
  // In a fresh process, so that nothing but the case decides; where threads may disturb each other, several
  // times, until it is broken.
  Result<Examination> examine_alone(const Property& property, const Case& question);
  // Of the examination that was the last one: what it takes to see the wrong answer, as the record's
  // `reproduce`. That is the case alone, or the shortest history after which it fails.
  Result<Examination> explain(const Property& property, Examination broken);

  // After a call that hung others are given a small part of the time limit, until this is taken back.
  void wait_less();
  void wait_as_told();

 private:
  void wait_for(int milliseconds);
  Examiner(const IsolateOptions& options, Session session, std::unique_ptr<IsolatedLawAsker> asker);
  Result<Examination> agreement(const Case& question);
  Result<Examination> law(const Law& law, const Case& question);

  IsolateOptions options_;
  Session session_;
  std::unique_ptr<IsolatedLawAsker> asker_;
  std::deque<PlannedCase> planned_;  // what the session was asked: it keeps pointers
  std::optional<Judged> last_;       // of the session
};

}  // namespace certile
