#pragma once
#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/laws/laws.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the record of a broken law, with what it takes to see the wrong answer again, as `reproduce`.  The
// law's calls are asked as separate cases, up to the first that fails; then that case alone, or after the
// shortest history.  If no separate case fails, the record is unchanged.  Errors: as a Session's.
Result<Record> explained(const LawFinding& broken, const IsolateOptions& options);

}  // namespace certile::conformance
