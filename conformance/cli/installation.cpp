#include "conformance/cli/installation.hpp"

#include <system_error>

#include "backends/worker/adapters.hpp"
#include "conformance/report/report.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

bool is_there(const files::path& path) {
  std::error_code failed;
  return files::exists(path, failed);
}

files::path workers_of(const Installation& installation) {
  return (installation.programs / CERTILE_DATA_FROM_BIN / "adapters").lexically_normal();
}

}  // namespace

Installation Installation::of_this_program() {
  std::error_code failed;
  return {files::read_symlink("/proc/self/exe", failed).parent_path()};
}

Result<std::string> Installation::include_folder() const {
  const std::string folder = (programs / CERTILE_INCLUDE_FROM_BIN).lexically_normal().string();
  if (is_there(files::path(folder) / "certile_plugin.h")) return folder;
  return Error{Error::Code::io,
               "there is no certile_plugin.h in " + folder + ": this program is not installed"};
}

std::string Installation::spelling_of(const std::string& backend) const {
  const std::string script(backends::adapter_script(backend));
  if (script.empty() || !has_workers()) return backend;
  // An environment of Python has this file, and its own Python next to the program.
  const bool is_environment = is_there(programs / "../pyvenv.cfg") && is_there(programs / "python3");
  const std::string python = is_environment ? quoted_for_shell((programs / "python3").string()) : "python3";
  return "worker:" + python + " " + quoted_for_shell(workers_of(*this).string()) + "/" + script;
}

bool Installation::has_workers() const {
  return is_there(workers_of(*this) / "adapting.py");
}

}  // namespace certile::conformance
