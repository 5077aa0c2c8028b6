#include "conformance/cli/legend.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "conformance/text/output_file.hpp"

namespace certile::conformance {

bool is_first_verdict() {
  namespace files = std::filesystem;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return files::path(value == nullptr ? "" : value);
  };
  const files::path state = variable("XDG_STATE_HOME"), home = variable("HOME");
  if (state.empty() && home.empty()) return false;
  const files::path folder = (state.empty() ? home / ".local/state" : state) / "certile";
  std::error_code failed;
  if (files::exists(folder / "legend-shown", failed)) return false;
  files::create_directories(folder, failed);
  return static_cast<bool>(write_whole_file((folder / "legend-shown").string(), ""));
}

}  // namespace certile::conformance
