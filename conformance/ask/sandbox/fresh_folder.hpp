#pragma once
#include <span>
#include <string>
#include <vector>

namespace certile::conformance {

// Gives this process, which has one thread, an empty working directory, HOME and TMPDIR in `folder`, which is
// empty.  Where the kernel allows a mount namespace, /tmp, /var/tmp and /dev/shm are empty too, but for what
// holds the paths that are `kept`.
void enter_fresh_folder(const std::string& folder, std::span<const std::string> kept);

// Returns the files that processes wrote in a fresh folder, as they name them: "$TMPDIR/cache", sorted.
std::vector<std::string> files_written_in(const std::string& folder);

}  // namespace certile::conformance
