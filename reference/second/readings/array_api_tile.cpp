#include <algorithm>
#include <cstddef>

#include "reference/second/reading.hpp"

namespace certile::second {

Reading read_array_api_tile(const Case& question);
Reading read_array_api_tile(const Case& question) {
  // A tuple is a vector of integers.  The text does not say whether a single integer is accepted.
  if (question.repeats.type() != ElementType::i64) return refused();
  bool is_open = question.repeats.shape().size() != 1;
  const auto given = static_cast<std::size_t>(question.repeats.count());
  const Shape& shape = question.data.shape();
  std::vector<Axis> axes;
  for (std::size_t axis = std::max(given, shape.size()); axis-- > 0;) {  // the last one first
    const std::size_t back = axes.size();
    Axis each;
    if (back < shape.size()) each.dimension = shape[shape.size() - 1 - back];
    if (back < given) each.repeat = integer(question.repeats, static_cast<std::int64_t>(given - 1 - back));
    if (each.repeat < 0) {
      if (each.dimension != 0) return refused();  // the size would be negative
      is_open = true;
      each.repeat = 0;
    }
    axes.push_back(each);
  }
  std::reverse(axes.begin(), axes.end());
  return is_open ? left_open(std::move(axes)) : answered(std::move(axes));
}

}  // namespace certile::second
