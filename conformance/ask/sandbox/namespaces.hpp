#pragma once
#include <string>

#include "conformance/ask/sandbox/layers.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Moves this process into new namespaces, those of `layers`; into that of processes go only processes started
// afterwards.  In a user namespace every user keeps the number that it has outside.  Error io.
Result<Done> make_namespaces(Layers layers);

// Makes everything that is mounted read-only in this process's mount namespace, and `folder` an empty one in
// memory.  Error io.
Result<Done> mount_read_only(const std::string& folder);

// Returns true if the kernel has a limit of processes for each namespace, which others do not share.
bool has_limit_of_namespace() noexcept;

// Mounts a /proc that shows the processes of this process's namespace alone, and limits their number if
// `layers` has that and the kernel can.  Error io.
Result<Done> mount_processes(Layers layers);

}  // namespace certile::conformance
