#pragma once

namespace certile {

// True for a program that descends from a host process, or from the keeper of a worker: one that a backend
// started while it is being judged.  Host and keeper are told of every process that loses its parent, so that
// none escapes by ending its own.
bool is_below_a_host();

}  // namespace certile
