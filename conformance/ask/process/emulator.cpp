#include "conformance/ask/process/emulator.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>

namespace certile::conformance {

std::vector<std::string> emulator_words() {
  const char* value = std::getenv("CERTILE_EMULATOR");
  std::istringstream words(value != nullptr ? value : "");
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::string path_behind_emulator(const std::string& program) {
  std::error_code not_a_link;
  const auto target = std::filesystem::read_symlink(program, not_a_link);
  return not_a_link ? program : target.string();
}

}  // namespace certile::conformance
