// Chooses when to stream.  Measured: an output larger than about 3/4 of the last cache leaves the cache
// before it is read, and a smaller one does if the data shares the cache.
#include <algorithm>
#include <optional>

#include "backends/kernel/caches.hpp"
#include "backends/kernel/environment.hpp"
#include "backends/kernel/tile_bytes.hpp"

namespace certile::kernel {

namespace {

// The most that one process can count on of a last cache that many processors share.  Of the 480 MiB of a
// Granite Rapids, outputs of 48 MiB stayed there in one hour and not in the next.  To stream what would have
// stayed takes up to 1.3 times as long; to store what does not stay takes two to four times as long.
constexpr std::uint64_t most_of_last_cache = 32 << 20;

}  // namespace

Stores stores_for(std::uint64_t output_bytes, std::uint64_t data_bytes, int threads) noexcept {
  static const std::optional<std::uint64_t> asked = bytes_in_environment("CERTILE_STREAMING_FROM");
  static const Caches& known = caches();
  if (asked) return output_bytes >= *asked ? Stores::streaming : Stores::ordinary;
  const std::uint64_t last = std::min(known.level3, most_of_last_cache);
  std::uint64_t from = last / 4 * 3;
  if (threads > 1)
    from = last;  // several threads write to the last cache faster than one, but not to memory
  else if (data_bytes > known.level2)
    from -= data_bytes < from ? data_bytes : from;  // the data is in the last cache as well
  return output_bytes >= from ? Stores::streaming : Stores::ordinary;
}

}  // namespace certile::kernel
