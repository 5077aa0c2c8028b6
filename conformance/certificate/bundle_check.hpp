#pragma once
#include "conformance/certificate/bundle.hpp"

namespace certile::conformance {

// Returns the files of a bundle that follow from the records alone, but for the statement.
Bundle files_of_run(const Summary& summary);

}  // namespace certile::conformance
