#pragma once
#include <string>
#include <vector>

namespace certile::conformance {

// Returns CERTILE_EMULATOR from the environment, cut at its spaces: the words before a program's path that
// run it if the system cannot, as in "qemu-aarch64 -cpu max".  Empty if programs are started directly.
std::vector<std::string> emulator_words();

// Returns the path at which an emulator finds a program: /proc/self/exe would be the emulator.
std::string path_behind_emulator(const std::string& program);

}  // namespace certile::conformance
