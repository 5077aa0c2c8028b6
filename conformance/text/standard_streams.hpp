#pragma once

namespace certile {

// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that no file that is opened later
// gets its number, and with it what is printed.  Reading and writing there fail, as they did before.
void hold_standard_streams() noexcept;

}  // namespace certile
