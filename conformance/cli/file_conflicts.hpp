#pragma once
#include <optional>
#include <string>
#include <vector>

namespace certile::conformance {

// A file that a command line names, and its part there: "--junit".
struct NamedFile {
  std::string as, path;
};

// Returns true for "-".
bool is_standard_output(const NamedFile& file);

// Returns a sentence if two outputs are the same file or an output is also an input, even by different paths
// or links, or two go to standard output, or the folder of one does not exist; else nothing.  Pipes and
// devices may be named several times.
std::optional<std::string> conflict_of(const std::vector<NamedFile>& outputs,
                                       const std::vector<NamedFile>& inputs);

}  // namespace certile::conformance
