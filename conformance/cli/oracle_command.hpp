#pragma once
#include <istream>
#include <ostream>
#include <string>

namespace certile::conformance {

// The options of `certile oracle [--shape] LITERAL`.
struct OracleOptions {
  std::string literal;      // a case, perhaps with `=> expectation`, or "-" for the lines of standard input
  bool shape_only = false;  // --shape: no elements are computed, so the answer may be too large to exist
};

// Answers each case as a corpus line on `out`: LITERAL => f32[4,6]{1,2,…}, LITERAL => reject # CLAUSE or
// LITERAL => unspecified # CLAUSE.  Both oracles decide on refusal and shape; the first one computes the
// elements.  A literal that cannot be read, an expectation or its clause that differs from the answer, and an
// answer above 1 MiB are errors: one sentence on `error`, and for "-" a line `error: …` on `out`, in order.
// Empty lines and lines that begin with # have no answer.  `out` is flushed whenever `in` has no input ready,
// so that a program may wait for each answer; for speed the caller turns off std::ios::sync_with_stdio.
// Returns the exit code: 0; 2 after any error; 3 if `out` could not be written.
int oracle_command(const OracleOptions& options, std::istream& in, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
