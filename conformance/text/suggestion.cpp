#include "conformance/text/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace certile::conformance {
namespace {

// Returns the number of letters to insert, remove or replace to make one word of the other.
std::size_t distance_between(std::string_view one, std::string_view other) {
  // The distances of one's beginning so far to each beginning of the other.
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t at = 0; at < one.size(); ++at) {
    std::size_t diagonal = row[0];
    row[0] = at + 1;
    for (std::size_t index = 0; index < other.size(); ++index) {
      const std::size_t replaced = diagonal + (one[at] == other[index] ? 0 : 1);
      diagonal = row[index + 1];
      row[index + 1] = std::min({replaced, diagonal + 1, row[index] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t most_changes = 2, longest = 100;
  if (word.size() > longest) return {};
  std::size_t least = most_changes + 1;
  std::string found;
  for (const std::string& name : names)
    if (const std::size_t distance = distance_between(word, name); distance < std::min(least, name.size())) {
      least = distance;
      found = name;
    }
  return found;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::string found = closest(word, names);
  return found.empty() ? std::string() : "; did you mean " + found + "?";
}

}  // namespace certile::conformance
