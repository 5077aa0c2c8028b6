#pragma once

namespace certile::conformance {

// Makes the rig in use explain each memory fault from now on, before the fault ends the process as usual.
void catch_memory_faults() noexcept;

}  // namespace certile::conformance
