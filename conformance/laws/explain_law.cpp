#include "conformance/laws/explain_law.hpp"

#include <optional>

#include "conformance/run/diagnosis.hpp"
#include "conformance/run/session.hpp"

namespace certile::conformance {

Result<Record> explained(const LawFinding& broken, const IsolateOptions& options) {
  auto session = Session::open(options);
  if (!session) return session.error();
  std::optional<Judged> failing;
  session->listen([&](Judged judged) {
    if (!failing && judged.record.judged.verdict == Verdict::fail) failing = std::move(judged);
  });
  for (const PlannedCase& each : broken.asked) {
    if (failing) break;
    if (const auto asked = session->ask(each); !asked) return asked.error();
    if (const auto finished = session->finish(); !finished) return finished.error();
  }
  if (!failing) return *broken.record;
  return diagnosed(*failing, session->asked(), options);
}

}  // namespace certile::conformance
