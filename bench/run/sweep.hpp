#pragma once
#include <string>

namespace certile::bench {

// Returns the text of the suite `sweep`: ten output sizes from 64 bytes to 512 MiB, whose rows of 1 to 257
// bytes (of 1 to 65 elements for packed types) are each repeated up to 16 times.  Rows of which an output of
// that size cannot hold two are left out.
std::string sweep_text();

}  // namespace certile::bench
