#include "conformance/run/installation.hpp"

#include <cstdlib>
#include <string_view>
#include <system_error>

#include "backends/worker/adapters.hpp"
#include "conformance/text/shell_words.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

bool is_there(const files::path& path) {
  std::error_code failed;
  return files::exists(path, failed);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Returns true if that Python can import the module.
bool has_module(const std::string& python, std::string_view module) {
  const std::string looks =
      "import importlib.util as u, sys; sys.exit(u.find_spec('" + std::string(module) + "') is None)";
  const std::string command = python + " -c " + quoted_for_shell(looks) + " </dev/null >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;  // NOLINT(*-command-processor)
}

}  // namespace

Installation Installation::of_this_program() {
  std::error_code failed;
  return {files::read_symlink("/proc/self/exe", failed).parent_path()};
}

Result<std::string> Installation::include_folder() const {
  const files::path folder = (programs / CERTILE_INCLUDE_FROM_BIN).lexically_normal();
  std::error_code failed;
  if (is_there(folder / "certile_plugin.h")) return files::canonical(folder, failed).string();
  return Error{Error::Code::io,
               "there is no certile_plugin.h in " + folder.string() + ": this program is not installed"};
}

Result<std::string> Installation::runner_options() const {
  const std::string archive =
      (programs / CERTILE_LIBRARIES_FROM_BIN / "libcertile_runner.a").lexically_normal().string();
  // NOLINTNEXTLINE(readability-redundant-string-init): empty in most builds
  const std::string_view sanitizers = CERTILE_SANITIZE;
  if (is_there(archive))
    return quoted_for_shell(archive) + " -lstdc++ -lm -ldl -lpthread" +
           (sanitizers.empty() ? "" : " -fsanitize=" + std::string(sanitizers));
  return Error{Error::Code::io,
               "there is no " + archive + ": this program is not installed, or was built without it"};
}

std::string Installation::spelling_of(const std::string& backend) const {
  const auto adapter = backends::find_adapter(backend);
  if (!adapter || !has_workers()) return backend;
  std::string asked = python();
  const files::path own = environments() / adapter->environment;
  if (is_there(own / "installed") && !has_module(asked, adapter->module))
    asked = quoted_for_shell((own / "bin/python").string());
  return "worker:" + asked + " " + quoted_for_shell(workers().string()) + "/" + std::string(adapter->script);
}

std::string Installation::remedy_for(const std::string& backend) const {
  const auto adapter = backends::find_adapter(backend);
  if (!adapter || !has_workers() || is_there(environments() / adapter->environment / "installed")) return {};
  return "certile environments make " + backend;
}

bool Installation::has_workers() const {
  return is_there(workers() / "adapting.py");
}

std::string Installation::python() const {
  // An environment of Python has this file, and its own Python next to the program.
  const bool is_environment = is_there(programs / "../pyvenv.cfg") && is_there(programs / "python3");
  return is_environment ? quoted_for_shell((programs / "python3").string()) : "python3";
}

files::path Installation::workers() const {
  return (programs / CERTILE_DATA_FROM_BIN / "adapters").lexically_normal();
}

files::path Installation::environments() {
  if (std::string folder = variable("CERTILE_ENVIRONMENTS"); !folder.empty()) return folder;
  const std::string data = variable("XDG_DATA_HOME");
  return (data.empty() ? files::path(variable("HOME")) / ".local/share" : files::path(data)) /
         "certile/environments";
}

}  // namespace certile::conformance
