#pragma once
#include <string>

namespace certile {

// The suite `sweep`: ten sizes of outputs from 64 bytes to 512 MiB, whose rows of 1 to 257 bytes (of 1 to 65
// elements for packed types) are each repeated up to 16 times; as the text of a suite.  Rows that an output
// of that size cannot hold twice are left out.
std::string sweep_text();

}  // namespace certile
