#pragma once
#include <istream>
#include <ostream>
#include <string>

namespace certile {

// `certile oracle [--shape] LITERAL`, or `-` in place of the literal for the lines of standard input.
struct OracleOptions {
  std::string literal;      // a case, perhaps with `=> expectation`, or "-"
  bool shape_only = false;  // --shape: no elements are computed, so the answer may be far too large to exist
};

// Answers each case as a corpus line on `out`: LITERAL => f32[4,6]{1,2,…}, LITERAL => reject # CLAUSE or
// LITERAL => unspecified # CLAUSE.  Both oracles are asked whether the case is refused and for the shape;
// elements are the first one's.  A literal that cannot be read, an expectation that the oracles do not share,
// its clause included, and an answer above 1 MiB are errors: one sentence on `error`, and for "-" a line
// `error: …` on `out`, in order. Empty lines and lines that begin with # have no answer.  `out` is flushed
// whenever `in` has nothing more at hand, so a program may ask and wait; for speed the caller turns off
// std::ios::sync_with_stdio. Returns the exit code: 0, 2 where anything was an error, 3 where `out` could not
// be written.
int oracle_command(const OracleOptions& options, std::istream& in, std::ostream& out, std::ostream& error);

}  // namespace certile
