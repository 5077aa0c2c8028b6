#include "backends/kernel/caches.hpp"

#include <unistd.h>  // IWYU pragma: keep, for Arm

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace certile::kernel {
namespace {

void note(Caches& known, unsigned level, std::uint64_t bytes) noexcept {
  if (bytes == 0) return;
  if (level == 2) known.level2 = bytes;
  if (level == 3) known.level3 = bytes;
}

#if defined(__x86_64__) || defined(__i386__)
// Asks the processor, because the C library adds up the third-level caches of a whole AMD socket, of which a
// core sees one.
Caches ask() noexcept {
  Caches known;
  unsigned signature = 0;
  // "AuthenticAMD" and "HygonGenuine" number this leaf differently.
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid(0, &a, &signature, &c, &d);
  const bool amd = signature == 0x68747541 || signature == 0x6f677948;
  const unsigned leaf = amd ? 0x8000001D : 4;
  for (unsigned index = 0; index < 8; ++index) {
    if (__get_cpuid_count(leaf, index, &a, &b, &c, &d) == 0) break;
    const unsigned type = a & 31;
    if (type == 0) break;
    if (type == 2) continue;  // instructions
    const std::uint64_t ways = (b >> 22) + 1, partitions = ((b >> 12) & 1023) + 1, line = (b & 4095) + 1;
    note(known, (a >> 5) & 7, ways * partitions * line * (std::uint64_t{c} + 1));
  }
  return known;
}
#else
Caches ask() noexcept {
  Caches known;
  const auto size = [](int name) noexcept {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
  };
  note(known, 2, size(_SC_LEVEL2_CACHE_SIZE));
  note(known, 3, size(_SC_LEVEL3_CACHE_SIZE));
  return known;
}
#endif

}  // namespace

const Caches& caches() noexcept {
  static const Caches known = ask();
  return known;
}

}  // namespace certile::kernel
