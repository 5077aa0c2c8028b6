#include "conformance/run/related_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "reference/oracle/promote.hpp"
#include "reference/values/scalar_value.hpp"

namespace certile::conformance {
namespace {

// The properties of a call that a cache may take for its key, or a part of it.
struct Keys {
  std::string digits;  // of sizes and repeats, without a separator
  Shape shape, output;
  std::vector<std::int64_t> repeats;
  std::optional<std::uint64_t> data_bytes, output_bytes;
  std::int64_t sum = 0;  // of sizes and repeats
  ElementType type{};
  DefinitionId definition{};
};

Keys keys_of(const Case& question) {
  Keys keys;
  keys.type = question.data.type();
  keys.definition = question.definition;
  keys.shape = Shape(question.data.shape());
  for (const auto& repeat : numbers_in(question.repeats))
    keys.repeats.push_back(repeat ? repeat->value : -1);
  const auto add = [&keys](std::int64_t number) {
    keys.digits += std::to_string(number);
    keys.sum =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(keys.sum) + static_cast<std::uint64_t>(number));
  };
  std::ranges::for_each(keys.shape, add);
  std::ranges::for_each(keys.repeats, add);
  const auto bytes_of = [&](const Shape& shape) -> std::optional<std::uint64_t> {
    const auto count = element_count(shape);
    return count ? byte_size(keys.type, *count) : std::nullopt;
  };
  keys.data_bytes = bytes_of(keys.shape);
  if (const auto output = oracle::output_shape(question)) {
    keys.output = Shape(*output);
    keys.output_bytes = bytes_of(keys.output);
  }
  return keys;
}

// Returns what two calls share, as bits; the more telling, the higher.
unsigned shared_by(const Keys& left, const Keys& right) {
  unsigned bits = 0;
  for (const bool is_shared :
       {left.digits == right.digits, left.shape == right.shape && left.repeats == right.repeats,
        left.output_bytes && left.output_bytes == right.output_bytes, left.output == right.output,
        left.data_bytes == right.data_bytes, left.shape == right.shape, left.repeats == right.repeats,
        left.sum == right.sum, left.shape.size() == right.shape.size(), left.type == right.type,
        left.definition == right.definition})
    bits = 2 * bits + (is_shared ? 1 : 0);
  return bits;
}

}  // namespace

std::vector<const PlannedCase*> related_calls(const PlannedCase& call,
                                              std::span<const PlannedCase* const> earlier, std::size_t most) {
  if (most == 0) return {};
  const Keys keys = keys_of(call.question());
  std::map<unsigned, const PlannedCase*, std::greater<>> last_with;
  constexpr unsigned type_rank_and_definition = 7;
  for (const PlannedCase* each : earlier)
    if (const unsigned shared = shared_by(keys, keys_of(each->question())); shared > type_rank_and_definition)
      last_with[shared] = each;
  std::vector<const PlannedCase*> related;
  for (const auto& [shared, each] : last_with)
    if (related.size() < most) related.push_back(each);
  return related;
}

}  // namespace certile::conformance
