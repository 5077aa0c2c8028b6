#pragma once

namespace certile {

// From now on a memory fault is explained to the rig in use before it ends the process as it would have ended
// it anyway.
void catch_memory_faults() noexcept;

}  // namespace certile
