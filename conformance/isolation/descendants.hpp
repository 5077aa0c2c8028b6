#pragma once

namespace certile {

// Kills every process that descends from this one, and takes note of their ends.  Processes that fork while
// they are being killed are stopped first, so that none escapes; gives up after a bounded number of rounds.
void end_descendants() noexcept;

}  // namespace certile
