#pragma once
#include <string>

#include "conformance/ask/sandbox/layers.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The sandbox of one process and its descendants; without layers, none.
struct Sandbox {
  Layers layers = 0;
  std::string folder;  // the private folder, which exists; without layers a fresh one, or none
};

// Puts this process, which has one thread, into the sandbox, with all of its layers or an error.  HOME and
// TMPDIR become the private folder.  With `Layer::processes` the caller goes on as process 1 of a namespace,
// in a child of this process; this process closes its descriptors, waits, and ends as the child does.
Result<Done> enter_sandbox(const Sandbox& sandbox);

// Tries each layer in a process that ends at once.  The layers of the result were in force together.
Result<SandboxFound> find_sandbox();

}  // namespace certile::conformance
