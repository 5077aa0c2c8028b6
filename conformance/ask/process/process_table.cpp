#include "conformance/ask/process/process_table.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace certile::conformance {

int processes_with(const std::string& word) {
  int found = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator entry("/proc", gone), end; !gone && entry != end;
       entry.increment(gone)) {
    const std::string name = entry->path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
    std::ifstream file(entry->path() / "cmdline");
    // If a process ends while it is read, the stream has an error, and nothing throws.
    std::string words;
    std::getline(file, words, '\n');
    if (words.find(word) != std::string::npos) ++found;
  }
  return found;
}

}  // namespace certile::conformance
