#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"

namespace certile::conformance {

void add_types(Sink& sink) {
  sink.begin(Generator::types);
  // Scalars, one element, odd numbers of packed elements in rows that do not end with a byte, and rows of
  // several bytes.
  const std::vector<std::pair<Shape, Shape>> shapes{
      {{}, {}},
      {{1}, {1}},
      {{1}, {2}},
      {{2}, {1}},
      {{3}, {1}},
      {{2}, {3}},
      {{3}, {2}},
      {{2, 1}, {1, 1}},
      {{2, 1}, {1, 3}},
      {{1, 3}, {2, 1}},
      {{3, 2}, {1, 3}},
      {{3, 5}, {2, 1}},
      {{5, 3}, {1, 2}},
      {{5, 7}, {3, 2}},
      {{2, 3, 5}, {1, 6, 1}},
      {{3, 1, 7}, {1, 5, 1}},
      {{7, 11}, {3, 5}},
      {{0, 3}, {2, 1}},
      {{3}, {0}},
      {{5, 13}, {6, 3}},
      {{67}, {1}},
      {{131}, {3}},
      {{257, 3}, {1, 2}},
  };
  for (const ElementType type : sink.scope().types()) {
    std::uint64_t seed = 0;
    for (const auto& [shape, repeats] : shapes) {
      Draft draft{.type = type, .shape = shape, .repeats = repeats};
      sink.add(draft);
      draft.fill = {Fill::Kind::special, 0};
      sink.add(draft);
      draft.fill = {Fill::Kind::bits, ++seed};
      draft.variety = seed;
      sink.add(draft);
    }
    // Data that are all zero, or all −0: a kernel that takes its output for cleared, or compares numbers, is
    // wrong with nothing else.  Some blocks are long.
    const auto format = float_format(type);
    const bool has_negative_zero =
        (format && format->is_signed) || type == ElementType::c64 || type == ElementType::c128;
    for (const auto& [shape, repeats] : std::vector<std::pair<Shape, Shape>>{
             {{1}, {2}}, {{5}, {3}}, {{67}, {2}}, {{1100}, {2}}, {{2, 4100}, {1, 1}}})
      for (const std::uint64_t sign : {0U, 1U})
        if (sign == 0 || has_negative_zero)
          sink.add(Draft{.type = type, .shape = shape, .repeats = repeats, .fill = {Fill::Kind::zero, sign}});
    // Each special value alone, so that no neighbour can hide a change.
    for (std::uint64_t start = 0; start < 32; ++start) {
      Draft draft{.type = type, .shape = {1}, .repeats = {1}, .fill = {Fill::Kind::special, start}};
      sink.add(draft);
      draft.repeats = {3};
      sink.add(draft);
    }
  }
}

}  // namespace certile::conformance
