#include "conformance/facts/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <initializer_list>
#include <string_view>

namespace certile::conformance {
namespace {

std::string c_library() {
#ifdef _CS_GNU_LIBC_VERSION
  std::string name(64, '\0');
  if (const std::size_t size = confstr(_CS_GNU_LIBC_VERSION, name.data(), name.size());
      size > 1 && size <= name.size())
    return name.substr(0, size - 1);
#endif
  return "not known";
}

}  // namespace

std::string processor_name() {
  for (const std::string_view key : {"model name", "Model", "Hardware", "CPU part"}) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
      const auto colon = line.find(':');
      if (colon == line.npos || line.compare(0, key.size(), key) != 0) continue;
      const auto value = line.find_first_not_of(" \t", colon + 1);
      if (value != line.npos) return line.substr(value);
    }
  }
  return {};
}

Environment this_environment() {
  Environment environment{"not known", processor_name(), "not known", c_library()};
  if (environment.processor.empty()) environment.processor = "not known";
  utsname names{};
  if (uname(&names) == 0) {
    environment.architecture = names.machine;
    environment.kernel = std::string(names.sysname) + " " + names.release;
  }
  return environment;
}

}  // namespace certile::conformance
