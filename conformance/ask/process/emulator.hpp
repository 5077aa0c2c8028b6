#pragma once
#include <string>
#include <vector>

namespace certile {

// CERTILE_EMULATOR in the environment, cut at its spaces: the words in front of a program's path that run it
// where the system itself cannot, as in "qemu-aarch64 -cpu max".  Empty where programs are started as they
// are.
std::vector<std::string> emulator_words();

// The path under which an emulator finds a program: /proc/self/exe is the emulator's own.
std::string path_behind_emulator(const std::string& program);

}  // namespace certile
