#pragma once
#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/laws/laws.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The record of a broken law, with what it takes to see the wrong answer again, as `reproduce`: the law's
// calls are asked as cases of their own, up to the first that fails, and then that one alone, or after the
// shortest history.  Where no case of its own fails, the record is as the law left it.  Errors: as a
// Session's.
Result<Record> explained(const LawFinding& broken, const IsolateOptions& options);

}  // namespace certile
