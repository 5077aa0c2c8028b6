#include <vector>

#include "conformance/plan/tiers/generators.hpp"

namespace certile::conformance {

void add_large(Sink& sink) {
  sink.begin(Generator::large);
  // The narrowest types: one of whole bytes, and a packed one that passes 2^32 elements within half a
  // gigabyte or two.
  std::vector<ElementType> narrow;
  for (const auto& types : sink.scope().widths())
    if (bits(types.front()) <= 8) narrow.push_back(types.back());
  if (narrow.empty()) narrow.push_back(sink.scope().types().front());

  for (const ElementType type : narrow) {
    const auto ask = [&](Shape shape, Shape repeats) {
      sink.add(Draft{.type = type, .shape = std::move(shape), .repeats = std::move(repeats)});
    };
    ask({65536, 1}, {1, 32767});   // its last row ends below 2^31
    ask({65536, 1}, {1, 32769});   // 2^31 elements and 65,536 more
    ask({65539, 3}, {10923, 1});   // 2^31 and a little, by whole blocks
    ask({3, 7}, {1, 102261127});   // by short rows
    ask({65537}, {65537});         // 2^32 elements and 131,073 more
    ask({3, 1431655777}, {1, 1});  // 2^32 and a little, nothing repeated
  }
}

}  // namespace certile::conformance
