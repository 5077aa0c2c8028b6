#pragma once

namespace certile::conformance {

// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that no file opened later gets its
// number and the output printed to it.  Reading and writing there fail, as they did before.
void hold_standard_streams() noexcept;

}  // namespace certile::conformance
