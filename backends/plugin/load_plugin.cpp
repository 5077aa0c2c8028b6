#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "backends/plugin/library_file.hpp"
#include "backends/plugin/plugin.hpp"

namespace certile::backends {
namespace {

Error failure(const std::string& path, const std::string& what) {
  return {Error::Code::io, path + ": " + what};
}

std::string last_loader_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason given";
}

}  // namespace

Result<Plugin> Plugin::load(std::string_view spelling) {
  const std::string path(spelling);
  struct stat status {};
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (!is_there && errno != ENOENT && errno != ENOTDIR)
    return failure(path, std::string("this cannot be reached: ") + std::strerror(errno));
  if (!is_there)
    return failure(
        path,
        "there is no such file; give the path of a shared library, or a name that `certile list` shows");
  if (!S_ISREG(status.st_mode)) return failure(path, "this is not a file; give the path of a shared library");
  if (const auto why = unloadable_because(path)) return failure(path, "this cannot be loaded: " + *why);

  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && is_program(path))
    return failure(path,
                   "this is a program, and not one that links certile's runner; build the kernel as a shared "
                   "library, or link certile::runner and call certile_runner_main in main");
  if (library == nullptr)
    return failure(path, "this cannot be loaded as a shared library (" + last_loader_error() +
                             "); build it with -shared -fPIC, for this machine, with all it needs");
  void* symbol = dlsym(library, "certile_plugin_open");
  if (symbol == nullptr)
    return failure(
        path, "the library does not export certile_plugin_open; define it as certile_plugin.h declares it");
  return open(path, reinterpret_cast<PluginOpen>(symbol));
}

}  // namespace certile::backends
