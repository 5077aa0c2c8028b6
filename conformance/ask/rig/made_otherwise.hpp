#pragma once
#include <cstddef>
#include <optional>

#include "conformance/ask/rig/soak.hpp"
#include "conformance/ask/rig/unlike_calls.hpp"

namespace certile::conformance {

// An answer that is unlike the first one to the same call, and the pattern that the output had before.
struct UnlikeAnswer {
  backends::Ran ran;
  std::byte pattern{};
  bool RunReply::*reason = nullptr;  // what made the difference, if that is known
};

// Ways of making a soaked call again that make no difference to a right implementation.  Each function
// returns the first answer that is unlike, if there is one.

// [CT-STEADY] Makes the call for data at another address, whose elements a call has just seen otherwise,
// after an unlike one.
std::optional<UnlikeAnswer> made_after_changes_in_place(UnlikeCalls& unlike, const SoakedCall& soaked);

// [CT-STEADY] Makes the call in the structures of an unlike one, after another thread has inferred its shape.
std::optional<UnlikeAnswer> made_in_structures_of(UnlikeCalls& unlike, const SoakedCall& soaked);

// [CT-STEADY] Makes the call after this thread has inferred its shape in the same structures, while the first
// repeat was one less.
std::optional<UnlikeAnswer> made_after_another_repeat(const SoakedCall& soaked);

// [CT-PLACE] Makes the call for data directly before its output, and directly behind it.
std::optional<UnlikeAnswer> made_next_to_its_data(const SoakedCall& soaked);

// [CT-THREADS] Makes the call in one of 129 threads, while another one, which is some power of two of threads
// away, makes unlike calls.  An implementation that has a place for each of 16 to 128 threads gives two of
// them the same.
std::optional<UnlikeAnswer> made_among_many_threads(UnlikeCalls& unlike, const SoakedCall& soaked);

}  // namespace certile::conformance
