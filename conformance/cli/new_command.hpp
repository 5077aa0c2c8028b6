#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace certile::conformance {

// The options of `certile new LANGUAGE DIR`.
struct NewOptions {
  std::string language;
  std::string folder;
};

// Returns the languages that have a starter: c, cpp, ….
std::vector<std::string> starter_languages();

// Writes the starter of the language to the folder: a small backend that passes its claim, with what builds
// and tests it.  Creates the folder, and prints its files and the next command on `out`.  A language without
// a starter, a folder that has files, and a file that cannot be written are errors, one sentence on `error`.
// Returns the exit code: 0; 2 after an error.
int new_command(const NewOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
