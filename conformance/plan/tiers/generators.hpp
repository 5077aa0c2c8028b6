#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "conformance/plan/tiers/random.hpp"
#include "conformance/plan/tiers/sink.hpp"

// The parts of the tiers, one generator a file.  Each puts the cases of one subject into the sink, always the
// same ones in the same order, and leaves out what the claim does not reach.  What tells wrong
// implementations apart guides the numbers: dimensions and repeats that differ pairwise, sizes around the
// widths of vectors and counters.
namespace certile {

// Every data shape with every repeats, both of rank `max_rank` at most with entries 0 to 3, for every width
// of an element (types, types of repeats and fills vary); onnx-tile-1: every tiles 0 to 3 and axis from one
// too low to one too high. With `widths_vary` each combination is asked for one type alone.
void add_small_shapes(Sink& sink, int max_rank, bool widths_vary);

// Every shape of rank 2 at most with entries 0 to 2 and repeats from -2 to 2, in the signed types.
void add_signed_repeats(Sink& sink);

// Every claimed type, with each fill, in shapes that show where its elements end.
void add_types(Sink& sink);

// Rows around the widths of vectors and some of a few KiB, repeated and not, for every width of an element.
enum class Ladder { short_one, whole };
void add_size_ladder(Sink& sink, Ladder ladder);

// 2 to `max_rank` axes (4 at most) of which each is long and repeated several times.
void add_blocks(Sink& sink, std::size_t max_rank);

// Two strings that differ in the last of many characters alone, up to what a literal can spell.
void add_long_strings(Sink& sink);

// Outputs, and an input, of a little more than so many bytes, for every width of whole bytes; packed types:
// of a little more than 2^20 bits.
void add_big(Sink& sink, std::int64_t bytes);

// 2 to 65,537 copies along one axis, and rows of that length, with types of one byte; the extremes of each
// type of repeats.
void add_counts(Sink& sink, std::int64_t most);
void add_repeats_extremes(Sink& sink);

// Ranks 0 to `max_rank` with one, two and three repeated axes wherever they lie.
void add_ranks(Sink& sink, int max_rank);

// Ranks around 16, 32 and 64, where arrays of a fixed size end.
void add_high_ranks(Sink& sink);

// Data and repeats of different lengths, each from 0 to `max_rank`, which some definitions promote and others
// refuse.
void add_promotions(Sink& sink, int max_rank);

// Unreadable pages on either side, odd addresses, for each claimed type.
enum class Placements { few, some, all };
void add_placements(Sink& sink, Placements placements);

// Concurrent calls; each case costs a thousand rounds, so `shapes` of them (8 at most) for each width.
void add_threads(Sink& sink, int shapes);

// The same instance asked for one shape, another, and the first again; after refusals and empty answers; and
// other calls in a row with their operands at the same addresses.
void add_state(Sink& sink);

// Refusals that only the last of many repeats gives reason for, and overflows behind many axes: as many as
// each of `ranks` says, at least 2.
void add_refusals_of_high_ranks(Sink& sink, const std::vector<std::size_t>& ranks);

// Everything that the definition refuses.
void add_refusals(Sink& sink);

// Sizes around 2^31, 2^32 and 2^63, and products that wrap to small legal shapes.  Only the shape is asked.
void add_overflows(Sink& sink);

// One case for each type outside the claim, and a few beyond each limit: there, saying unsupported is enough,
// and a wrong answer is still wrong.
void add_claim_boundary(Sink& sink);

// So many random cases, drawn over everything that can be varied.
struct RandomCases {
  std::int64_t count = 0;
  std::uint64_t seed = 1;
  bool threads = false;  // concurrent calls too, in few of them
};
void add_random(Sink& sink, const RandomCases& wanted);

// The next of such cases; its output takes `most_bytes` at most, were each zero a one.
Draft random_draft(Random& random, const Scope& scope, bool threads,
                   double most_bytes = std::numeric_limits<double>::infinity());

// Outputs past 2^31 and 2^32 bytes and elements: gigabytes each.
void add_large(Sink& sink);

}  // namespace certile
