#include "bench/run/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>

#include "bench/run/built_from.hpp"
#include "bench/timing/measure.hpp"
#include "bench/timing/team.hpp"
#include "conformance/ask/rig/warm_memory.hpp"
#include "conformance/facts/environment.hpp"
#include "conformance/text/version.hpp"

namespace certile::bench {
namespace {

std::string line_of_file(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Reads "65536K" of the data or unified cache of that level, as the first processor sees it.
std::uint64_t cache_bytes(int level) {
  for (int index = 0;; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string size = line_of_file(folder + "size");
    if (size.empty()) break;
    if (line_of_file(folder + "level") != std::to_string(level)) continue;
    if (line_of_file(folder + "type") == "Instruction") continue;
    const std::uint64_t number = std::stoull(size);
    return size.back() == 'M' ? number << 20 : size.back() == 'K' ? number << 10 : number;
  }
  const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  const long known = sysconf(names[level - 1]);
  return known > 0 ? static_cast<std::uint64_t>(known) : 0;
}

std::string or_else(const std::string& text, std::string_view otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "not known";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string commit_name() {
  constexpr std::size_t digits = 12;
  const conformance::BuiltFrom built = conformance::built_from();
  return std::string(built.commit.substr(0, digits)) + (built.dirty ? "-dirty" : "");
}

std::string compiler_name() {
#if defined(__clang__)
  return __VERSION__;  // begins with the name
#else
  return "GCC " __VERSION__;
#endif
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = or_else(conformance::processor_name(), "not known");
  machine.governor = or_else(line_of_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
                             "not shown by this system");
  machine.system = system_name();
  machine.compiler = compiler_name();
  machine.flags = or_else(built_flags, "none");
  machine.commit = or_else(commit_name(), "not known");
  machine.pages = conformance::page_policy();
  machine.benchmark_library = benchmark_library();
  machine.cores = usable_processors();
  machine.level1_bytes = cache_bytes(1);
  machine.level2_bytes = cache_bytes(2);
  machine.level3_bytes = cache_bytes(3);
  return machine;
}

}  // namespace certile::bench
