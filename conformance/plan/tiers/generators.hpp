#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "conformance/plan/tiers/random_cases.hpp"
#include "conformance/plan/tiers/sink.hpp"

// The generators of the tiers.  Each puts the cases of one subject into the sink, always the
// same ones in the same order, and leaves out cases beyond the claim.  The numbers are chosen to distinguish
// wrong implementations: dimensions and repeats that differ pairwise, sizes around the widths of vectors and
// counters.
namespace certile::conformance {

// Adds every data shape with every repeats, both of rank `max_rank` at most with entries 0 to 3, for every
// width of an element (types, types of repeats and fills vary).  For onnx-tile-1: every tiles 0 to 3, and
// axis from one too low to one too high. With `widths_vary` each combination is used with one type only.
void add_small_shapes(Sink& sink, int max_rank, bool widths_vary);

// Adds every shape of rank 2 at most with entries 0 to 2 and repeats from -2 to 2, in the signed types.
void add_signed_repeats(Sink& sink);

// Adds every claimed type, with each fill, in shapes that show where its elements end.
void add_types(Sink& sink);

// The lengths of a ladder of sizes.
enum class Ladder { short_one, whole };

// Adds rows around the widths of vectors and some of a few KiB, repeated and not, for every width of an
// element.
void add_size_ladder(Sink& sink, Ladder ladder);

// Adds outputs of 2 to `max_rank` axes (4 at most), each of which is long and repeated several times.
void add_blocks(Sink& sink, std::size_t max_rank);

// Adds pairs of strings that differ only in the last of many characters, up to the longest literal.
void add_long_strings(Sink& sink);

// Adds a string of 16 MiB, and 70,000 strings in a row.  Returns false if the definition has no strings: one
// definition's are enough.
bool add_many_characters(Sink& sink);

// Adds 2 to 65,537 copies along one axis, and rows of that length, with types of one byte; and the extremes
// of each type of repeats.
void add_counts(Sink& sink, std::int64_t most);
void add_repeats_extremes(Sink& sink);

// Adds repeats of types of 8 to 32 bits, as many as each of `lengths`, of which one has the highest bit of
// its type: kernels read several repeats at once.
void add_large_narrow_repeats(Sink& sink, const std::vector<std::size_t>& lengths);

// Adds ranks 0 to `max_rank` with one, two and three repeated axes in all positions.
void add_ranks(Sink& sink, int max_rank);

// Adds ranks around 16, 32 and 64, where arrays of a fixed size end.
void add_high_ranks(Sink& sink);

// Adds one to seven new axes that are repeated, and empty outputs of up to 64 axes.
void add_many_new_and_empty_axes(Sink& sink);

// Adds data and repeats of different lengths, each from 0 to `max_rank`, which some definitions promote and
// others refuse.
void add_promotions(Sink& sink, int max_rank);

// Adds data that gets new axes, or repeats that do, where a product of numbers passes 2^8 and 2^16 although
// no number does.
void add_promoted_products(Sink& sink);

// The number of placements.
enum class Placements { few, some, all };

// Adds unreadable pages on either side, and odd addresses, for each claimed type.
void add_placements(Sink& sink, Placements placements);

// Adds concurrent calls of the narrowest and the widest elements, of strings among them, and of a refusal;
// the calls of sixteen threads are the first ones of a process.
void add_few_threads(Sink& sink);

// Adds concurrent calls; each case costs a thousand rounds, so there are `shapes` of them (8 at most) for
// each width.
void add_threads(Sink& sink, int shapes);

// Adds soaks, answered and refused, for each width of an element; of `calls` calls for two widths, or for
// `every_width`, and of fewer for the others.
void add_soaks(Sink& sink, int calls, bool every_width);

// Adds sequences of calls to one instance: one shape, another, and the first again; calls after refusals and
// empty answers; and different calls in a row with their operands at the same addresses.
void add_state(Sink& sink);

// Adds sequences of calls at the same addresses: a call, a neighbour that differs from it in one respect, and
// the call again; and calls that a common hash of their numbers takes for each other.
void add_walks(Sink& sink);

// Adds calls of one definition between the same calls of another, for each pair of definitions that are
// written alike.
void add_changes_of_definition(const std::vector<Scope>& scopes, Cases& cases);

// Adds elements whose halves or bytes are alike, and data that differ in one element alone.
void add_contents(Sink& sink);

// Adds refusals because of the last of many repeats, and overflows behind many axes; each of `ranks`, at
// least 2, is a number of axes.
void add_refusals_of_high_ranks(Sink& sink, const std::vector<std::size_t>& ranks);

// Adds everything that the definition refuses.
void add_refusals(Sink& sink);

// Adds outputs of about 2^63 elements whose dimensions all fit.  The factors are dimensions or repeats, of
// axes that the data and the repeats have or get.  Only the shape is asked for.
void add_overflowing_products(Sink& sink);

// Adds these, and sizes around 2^31, 2^32 and 2^63, and products that wrap to small legal shapes.
void add_overflows(Sink& sink);

// Adds an output that no memory holds, of which one dimension passes 2^32 although no number passes 2^31; it
// is small where that dimension wraps around.
void add_answer_beyond_memory(Sink& sink);

// Adds one case for each type outside the claim, and a few beyond each limit, where `unsupported` is a
// sufficient answer and a wrong answer is still wrong.
void add_claim_boundary(Sink& sink);

// A number of random cases, drawn over everything that can vary.
struct RandomCases {
  std::int64_t count = 0;
  std::uint64_t seed = 1;
  bool threads = false;  // also concurrent calls, in a few of the cases
};
void add_random(Sink& sink, const RandomCases& wanted);

// Returns the next random case; its output has at most `most_bytes`, counting each zero dimension as one.
Draft random_draft(Random& random, const Scope& scope, bool threads,
                   double most_bytes = std::numeric_limits<double>::infinity());

// Adds outputs past 2^31 and 2^32 bytes and elements: gigabytes each.
void add_large(Sink& sink);

}  // namespace certile::conformance
