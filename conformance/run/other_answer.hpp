#pragma once
#include <span>
#include <string>

#include "conformance/run/session.hpp"

namespace certile::conformance {

// A sentence about the call whose right output a wrong output is.
struct OtherAnswer {
  std::string words;      // empty: of no other call
  bool is_whole = false;  // else only the wrong elements have the bytes that the other output has there
};

// The calls that are named next to the sentence, which then omits their literals.
enum class IsNamed { no_call, last_call };

// Finds out if the wrong output of a call, or at least its wrong part, is the right one of another call: of
// an earlier one, as a cache or a shared buffer answers; of another concurrent call, or of the call of
// another shape that the rig makes next to concurrent calls; or of the call itself with the repeats or the
// shape of an earlier one, as a cache of plans answers that forgets a part of its key.  Finds nothing for
// strings.
OtherAnswer whose_answer(const Judged& failing, std::span<const PlannedCase* const> earlier,
                         IsNamed named = IsNamed::no_call);

// Returns the words for the calls after which a case fails: "the call LITERAL", or "3 calls, the last of
// which is LITERAL"; empty if there are none.
std::string words_for_calls(std::span<const PlannedCase* const> calls);

}  // namespace certile::conformance
