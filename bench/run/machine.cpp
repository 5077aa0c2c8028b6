#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "bench/run/bench_run.hpp"
#include "bench/timing/measure.hpp"
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

std::string or_else(const std::string& text, const char* otherwise = "not known") {
  return text.empty() ? otherwise : text;
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string commit_name() {
  constexpr std::size_t digits = 12;
  const conformance::BuiltFrom built = conformance::built_from();
  return std::string(built.commit.substr(0, digits)) + (built.dirty ? "-dirty" : "");
}

#if defined(__clang__)
constexpr const char* compiler_name = __VERSION__;  // begins with the name
#else
constexpr const char* compiler_name = "GCC " __VERSION__;
#endif

}  // namespace

Machine this_machine() {
  return {.processor = or_else(conformance::processor_name()),
          .governor = or_else(line_of_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
                              "not shown by this system"),
          .system = or_else(system_name()),
          .compiler = compiler_name,
          .flags = or_else(CERTILE_BUILT_FLAGS, "none"),
          .commit = or_else(commit_name()),
          .pages = conformance::page_policy(),
          .benchmark_library = benchmark_library(),
          .cores = conformance::processors_allowed(),
          .level1_bytes = cache_bytes(1),
          .level2_bytes = cache_bytes(2),
          .level3_bytes = cache_bytes(3)};
}

}  // namespace certile::bench
