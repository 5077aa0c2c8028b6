#pragma once

namespace certile::conformance {

// Returns true for the first verdict of a user, and notes that it was shown, in certile/legend-shown of
// $XDG_STATE_HOME, which is ~/.local/state if it is not set.  Returns false where nothing can be noted.
bool is_first_verdict();

}  // namespace certile::conformance
