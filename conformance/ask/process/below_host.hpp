#pragma once

namespace certile::conformance {

// Returns true for a program that descends from a host process, or from the keeper of a worker: a backend
// started it while being judged.  No process escapes by ending its parent, because host and keeper adopt
// orphans.
bool is_below_a_host();

}  // namespace certile::conformance
