#include "conformance/explain/value_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "conformance/judge/difference.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile::conformance {
namespace {

bool all_wrong(const WrongElements& found, const auto& holds) {
  return std::ranges::all_of(found.wrong, holds);
}

std::string not_written(const WrongElements& found) {
  if (!all_wrong(found, [&](std::int64_t index) { return found.is_unwritten(index); })) return {};
  return "unwritten";
}

std::string one_value(const WrongElements& found) {
  const std::int64_t first = found.wrong.front();
  const std::string value = element_key(found.seen, first);
  if (!all_wrong(found, [&](std::int64_t index) {
        return !found.is_unwritten(index) && element_key(found.seen, index) == value;
      }))
    return {};
  const bool is_zero =
      found.seen.type() != ElementType::string && value.find_first_not_of('\0') == std::string::npos;
  if (!is_zero && found.wrong.size() < 2) return {};
  constexpr std::size_t longest = 40;
  const std::string text =
      is_zero ? "all bits 0" : printable(shortened(element_to_string(found.seen, first), longest));
  for (std::int64_t index = 0; index < found.count(); ++index)
    if (element_key(found.seen, index) != value) return is_zero ? text : "all the same: " + text;
  return "like every other element of the output: " + text;
}

// Returns true if every wrong element is the one expected `places` later.
bool is_shifted(const WrongElements& found, std::int64_t places) {
  return all_wrong(found, [&](std::int64_t index) {
    const std::int64_t from = index + places;
    return !found.is_unwritten(index) && from >= 0 && from < found.count() &&
           element_key(found.seen, index) == element_key(found.expected, from);
  });
}

std::string shifted(const WrongElements& found) {
  if (found.wrong.size() < 2) return {};
  std::set<std::int64_t> distances;
  constexpr std::int64_t near = 64;
  for (std::int64_t distance = 1; distance <= near; ++distance)
    distances.insert(distance);
  std::int64_t stride = 1;
  for (std::size_t axis = found.shape().size(); axis-- > 0; stride *= found.shape()[axis])
    distances.insert({stride, stride * found.data.shape()[axis]});
  for (const std::int64_t distance : distances)
    for (const std::int64_t places : {distance, -distance})
      if (is_shifted(found, places))
        return fmt::format("each the element expected {} {}", counted(distance, "place"),
                           places > 0 ? "later" : "earlier");
  return {};
}

// Recognizes an output that is as a whole that of numpy.repeat.
std::string repeated_elements(const WrongElements& found) {
  for (std::int64_t index = 0; index < found.count(); ++index) {
    const Shape places = places_of(found.shape(), index);
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < places.size(); ++axis)
      from = from * found.data.shape()[axis] + places[axis] / found.copies(axis);
    if (found.is_unwritten(index) || element_key(found.seen, index) != element_key(found.data, from))
      return {};
  }
  return "those of numpy.repeat, which repeats each element next to itself";
}

std::string reversed_bytes(const WrongElements& found) {
  const ElementType type = found.expected.type();
  if (is_packed(type) || type == ElementType::string || bits(type) == 8) return {};
  const auto width = static_cast<std::size_t>(bits(type) / 8);
  const bool all = all_wrong(found, [&](std::int64_t index) {
    std::string key = element_key(found.expected, index);
    std::reverse(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(width));
    return !found.is_unwritten(index) && key == element_key(found.seen, index);
  });
  return all ? "the expected ones with their bytes in the opposite order" : "";
}

std::string of_the_data(const WrongElements& found) {
  constexpr std::int64_t most = 1'000'000;
  if (found.data.count() > most) return {};
  std::unordered_set<std::string> data;
  for (std::int64_t index = 0; index < found.data.count(); ++index)
    data.insert(element_key(found.data, index));
  const auto is_there = [&](std::int64_t index) {
    return !found.is_unwritten(index) && data.contains(element_key(found.seen, index));
  };
  if (all_wrong(found, is_there))
    return found.wrong.size() == 1 ? "another element of the data" : "each another element of the data";
  const bool is_none =
      all_wrong(found, [&](std::int64_t index) { return !found.is_unwritten(index) && !is_there(index); });
  return is_none ? "not among the data's" : "";
}

}  // namespace

std::string what_instead(const WrongElements& found) {
  // The first that holds is the most special one.
  for (const auto rule : {not_written, repeated_elements, reversed_bytes, one_value, shifted, of_the_data})
    if (std::string words = rule(found); !words.empty()) return words;
  return {};
}

}  // namespace certile::conformance
