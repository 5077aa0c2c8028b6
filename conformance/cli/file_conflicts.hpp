#pragma once
#include <optional>
#include <string>
#include <vector>

namespace certile {

// A file that a command line names, and what it is there: "--junit".
struct NamedFile {
  std::string as, path;
};

// One sentence where two of the outputs are the same file, or an output is also an input; however their paths
// are spelled, and through links.  Standard output, pipes and devices may be named several times.
std::optional<std::string> conflict_of(const std::vector<NamedFile>& outputs,
                                       const std::vector<NamedFile>& inputs);

}  // namespace certile
