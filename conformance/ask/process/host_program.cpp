#include "conformance/ask/process/host_program.hpp"

#include <filesystem>
#include <system_error>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/emulator.hpp"
#include "conformance/ask/process/runner_note.hpp"
#include "conformance/text/version.hpp"

namespace certile::conformance {

Result<std::string> host_program(const std::string& program, std::string_view spelling) {
  if (!backends::is_library(spelling)) return program;
  if (const auto linked = runner_version(std::string(spelling))) {
    if (*linked == version) return std::string(spelling);
    return Error{Error::Code::io, std::string(spelling) + " is linked with the runner of certile " + *linked +
                                      ", and this is certile " + version + "; link it again"};
  }
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path itself = fs::canonical(path_behind_emulator(program), failed);
  const fs::path folder = failed ? fs::path(program).parent_path() : itself.parent_path();
  for (const fs::path& place : {folder / "certile-host", folder / CERTILE_HOST_FROM_BIN / "certile-host"})
    if (fs::exists(place, failed)) return place.lexically_normal().string();
  return Error{Error::Code::io,
               "cannot find certile-host, which judges shared libraries; install it next to " +
                   (folder / "certile").string() + ", or in " +
                   (folder / CERTILE_HOST_FROM_BIN).lexically_normal().string()};
}

}  // namespace certile::conformance
