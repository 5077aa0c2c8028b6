#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

// Returns the bytes of the longest run that is contiguous in the data and in the output: everything inside
// the innermost repeated axis, that axis included.  Runs of packed elements are cut to whole bytes.
std::uint64_t innermost_bytes(ElementType type, const oracle::Promoted& tiling) noexcept;

// Returns the kind of work that a tiling is, by its shape alone.  The first that applies:
//   none   nothing is repeated
//   tiny   at most 4 KiB are written: the cost of a call dominates
//   fill   single elements are repeated
//   mixed  several axes are repeated, with others between them
//   short  rows of at most 64 bytes are repeated
//   whole  the whole data is repeated
//   rows   each of several rows is repeated
std::string_view regime_of(ElementType type, const oracle::Promoted& tiling);

// Returns the case in a form for a backend that claims these definitions: unchanged if its definition is
// among them; otherwise under the first claimed definition, in the order of reports, whose rules make the
// same tiling of the same data and repeats, so that the same bytes are written; unchanged if there is none.
Case as_claimed(const Case& question, std::span<const DefinitionId> claimed);

struct Suite {
  std::string name;
  std::vector<TimedCase> cases;  // without timings
};

// Reads lines `LITERAL # REGIME: words`; skips empty lines and lines that begin with #.  A line that names no
// regime (no colon) gets the one of its shape.  Errors: bad_literal with `name:line:` for a line that is no
// case, is refused by the definition, has no elements to write, or places its buffers; io if there is no case
// at all.
Result<Suite> parse_suite(const std::string& name, std::string_view text);

// Returns the names of the suites compiled into this program.
std::vector<std::string> built_in_suites();

// Loads a built-in suite, or the file at that path (it contains a '/' or a '.').
Result<Suite> load_suite(const std::string& name_or_path);

// Returns one case of the command line, with the regime of its shape.
Result<TimedCase> case_to_time(std::string_view literal);

// Returns shapes that no kernel was tuned for, the same on every machine for a seed.  The logarithm of the
// output's bytes is uniform from 64 bytes to 256 MiB, the element width uniform over the existing ones (1 to
// 128 bits), the type uniform within the width, and the rank uniform from 1 to 6.  The size is divided at
// random among the dimensions and the repeats, of which two in five are 1, so most of them are odd.
// Duplicates, and cases that rounding or the definition makes impossible, are drawn again.
Suite random_suite(std::int64_t count, std::uint64_t seed);

}  // namespace certile::bench
