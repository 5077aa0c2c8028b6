#include "conformance/judge/difference.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/text/printable.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/float_text.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

constexpr std::size_t longest_string = 60;  // of a string element in a message

// The value of an element, to store and compare: its bits, or its characters.
struct Value {
  std::uint64_t low = 0, high = 0;
  std::string_view characters;
  auto operator<=>(const Value&) const = default;
};

Value value_at(const Tensor& tensor, std::int64_t index) {
  if (tensor.type() == ElementType::string) return {0, 0, tensor.string_element(index)};
  const Tensor::Bits bits = tensor.element(index);
  return {bits.low, bits.high, {}};
}

// Calls `take` with the index of each element that differs, in order, until `take` returns false.  Equal
// bytes are passed over in blocks, because one run of a failing backend asks this of gigabytes.
void each_difference(const Tensor& expected, const Tensor& seen, const auto& take) {
  const auto right = expected.bytes(), wrong = seen.bytes();
  const auto is_equal = [&](std::size_t at, std::size_t size) {
    return size == 0 || std::memcmp(right.data() + at, wrong.data() + at, size) == 0;
  };
  const bool is_string = expected.type() == ElementType::string;
  if (!is_string && is_equal(0, right.size())) return;
  if (is_string || is_packed(expected.type())) {
    const std::int64_t count = expected.count();
    for (std::int64_t index = 0; index < count; ++index)
      if (value_at(expected, index) != value_at(seen, index) && !take(index)) return;
    return;
  }
  constexpr std::size_t block = 256;
  const auto width = static_cast<std::size_t>(bits(expected.type()) / 8);
  for (std::size_t at = 0; at < right.size();) {
    if (at % block == 0 && right.size() - at >= block && is_equal(at, block)) {
      at += block;
      continue;
    }
    if (!is_equal(at, width) && !take(static_cast<std::int64_t>(at / width))) return;
    at += width;
  }
}

std::string index_text(const Shape& shape, std::int64_t index) {
  std::string text;
  for (const std::int64_t place : places_of(shape, index))
    text += (text.empty() ? "" : ",") + std::to_string(place);
  return "[" + text + "]";
}

std::string hex(Tensor::Bits bits, int width) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "0x";
  for (int digit = (width + 3) / 4; digit-- > 0;) {
    const std::uint64_t half = digit < 16 ? bits.low : bits.high;
    text += digits[half >> (digit % 16 * 4) & 0xf];
  }
  return text;
}

// Returns "0x40a00000 (5)" for an element that is no string; NaNs, complex numbers and others without another
// spelling as bits alone.
std::string element_text(const Tensor& tensor, std::int64_t index) {
  const Tensor::Bits bits_there = tensor.element(index);
  const std::string pattern = hex(bits_there, bits(tensor.type()));
  if (tensor.type() == ElementType::boolean && bits_there.low > 1) return pattern + " (no boolean)";
  const std::string text = element_to_text(tensor.type(), bits_there);
  return text.starts_with("0x") ? pattern : pattern + " (" + text + ")";
}

// The division of the bits of a floating-point type with infinities; no exponent for other types.
struct Layout {
  int exponent = 0, mantissa = 0;
};
Layout layout_of(ElementType type) {
  const auto format = float_format(type);
  if (!format || !has_infinities(*format)) return {};
  return {format->width - 1 - format->mantissa_bits, format->mantissa_bits};
}

// Returns true for two NaNs, for two zeros, and for a subnormal that became zero: the changes that arithmetic
// makes to numbers that should only be moved.
bool is_same_number(ElementType type, const Value& expected, const Value& seen) {
  const Layout layout = layout_of(type);
  if (layout.exponent == 0) return false;
  const std::uint64_t mantissa = (std::uint64_t{1} << layout.mantissa) - 1;
  const std::uint64_t exponent = ((std::uint64_t{1} << layout.exponent) - 1) << layout.mantissa;
  const auto is_nan = [&](std::uint64_t it) { return (it & exponent) == exponent && (it & mantissa) != 0; };
  const auto is_zero = [&](std::uint64_t it) { return (it & (exponent | mantissa)) == 0; };
  const bool is_tiny = (expected.low & exponent) == 0;
  return (is_nan(expected.low) && is_nan(seen.low)) || (is_tiny && is_zero(seen.low));
}

// Returns true if the only change is that NaNs became quiet, as by a conversion: with their payload or
// without it, and perhaps in only a part of the tensor, because another code path made that.
bool is_made_quiet(const Tensor& expected, const Tensor& seen) {
  const Layout layout = layout_of(expected.type());
  if (layout.exponent == 0) return false;
  const std::uint64_t mantissa = (std::uint64_t{1} << layout.mantissa) - 1;
  const std::uint64_t exponent = ((std::uint64_t{1} << layout.exponent) - 1) << layout.mantissa;
  const std::uint64_t quiet = std::uint64_t{1} << (layout.mantissa - 1);
  const auto is_nan = [&](std::uint64_t it) { return (it & exponent) == exponent && (it & mantissa) != 0; };
  bool is_quiet = true;
  each_difference(expected, seen, [&](std::int64_t index) {
    const Value from = value_at(expected, index), to = value_at(seen, index);
    const std::uint64_t payload = to.low & mantissa;
    is_quiet = is_nan(from.low) && is_nan(to.low) &&
               (payload == quiet || payload == ((from.low & mantissa) | quiet));
    return is_quiet;
  });
  return is_quiet;
}

// Returns the wrong values of `seen`, at most `limit` of them, because a tensor may be large.  Includes other
// bits of the same number only with `same_numbers`.
std::set<Value> wrong_values(const Tensor& expected, const Tensor& seen, std::size_t limit,
                             bool same_numbers = false) {
  std::set<Value> values;
  each_difference(expected, seen, [&](std::int64_t index) {
    const Value value = value_at(seen, index);
    if (same_numbers || !is_same_number(expected.type(), value_at(expected, index), value))
      values.insert(value);
    return values.size() < limit;
  });
  return values;
}

bool has_any(const Tensor& tensor, const std::set<Value>& values) {
  const std::int64_t count = values.empty() ? 0 : tensor.count();
  for (std::int64_t index = 0; index < count; ++index)
    if (values.contains(value_at(tensor, index))) return true;
  return false;
}

// Returns true if each result depends on the element alone, as if by a conversion: equal elements were
// changed alike, and a result that is itself an element was unchanged.
bool is_changed_alike(const Tensor& expected, const Tensor& seen) {
  std::map<Value, Value> changed;
  const std::int64_t count = expected.count();
  for (std::int64_t index = 0; index < count; ++index) {
    const auto [entry, is_new] = changed.emplace(value_at(expected, index), value_at(seen, index));
    if (!is_new && entry->second != value_at(seen, index)) return false;
  }
  return std::ranges::all_of(changed, [&](const auto& change) {
    const auto again = changed.find(change.second);
    return again == changed.end() || again->second == change.second;
  });
}

bool is_constant(const Tensor& tensor) {
  const std::int64_t count = tensor.count();
  for (std::int64_t index = 1; index < count; ++index)
    if (value_at(tensor, index) != value_at(tensor, 0)) return false;
  return true;
}

// Returns true for zeros, but false for empty strings, which may have been truncated.
bool is_zero(const Tensor& tensor) {
  return tensor.type() != ElementType::string && tensor.count() > 0 && value_at(tensor, 0) == Value{};
}

constexpr std::size_t looked_at = 64;  // wrong values searched for among the right ones

}  // namespace

Shape places_of(const Shape& shape, std::int64_t index) {
  Shape places(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    places[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return places;
}

ElementTexts texts_of_strings(const Tensor& expected, const Tensor& seen, std::int64_t index,
                              std::size_t limit) {
  const std::string right = string_to_text(expected.string_element(index)),
                    wrong = string_to_text(seen.string_element(index));
  const auto [there, here] = std::ranges::mismatch(right, wrong);
  const auto place = static_cast<std::size_t>(there - right.begin());
  return {shortened_around(right, place, limit), shortened_around(wrong, place, limit)};
}

std::optional<Difference> difference(const Tensor& expected, const Tensor& seen) {
  std::optional<Difference> found;
  each_difference(expected, seen, [&](std::int64_t index) {
    if (!found) found = Difference{index, 0};
    ++found->wrong;
    return true;
  });
  return found;
}

std::string describe(const Difference& found, const Tensor& expected, const Tensor& seen,
                     const std::vector<bool>& unwritten, const Whole* whole) {
  const auto is_unwritten = [&](std::int64_t index) {
    const auto at = static_cast<std::size_t>(index);
    return at < unwritten.size() && unwritten[at];
  };
  Difference all = found;
  for (std::int64_t index = expected.count(); !unwritten.empty() && index-- > 0;) {
    if (!is_unwritten(index) || value_at(expected, index) != value_at(seen, index)) continue;
    ++all.wrong;
    all.first = std::min(all.first, index);
  }
  ElementTexts texts = expected.type() == ElementType::string
                           ? texts_of_strings(expected, seen, all.first, longest_string)
                           : ElementTexts{element_text(expected, all.first), element_text(seen, all.first)};
  if (expected.type() == ElementType::string) {
    const auto add_size = [&](std::string& text, const Tensor& tensor) {
      const auto size = static_cast<std::int64_t>(tensor.string_element(all.first).size());
      if (text.find("…") != std::string::npos) text += " (" + counted(size, "byte") + ")";
    };
    add_size(texts.expected, expected);
    add_size(texts.seen, seen);
  }
  const Shape& shape = whole != nullptr ? whole->shape : expected.shape();
  const std::int64_t place = all.first + (whole != nullptr ? whole->first : 0);
  const std::int64_t wrong = whole != nullptr ? std::max(whole->wrong, all.wrong) : all.wrong;
  return "element " + index_text(shape, place) +
         (is_unwritten(all.first) ? " was not written" : " is " + texts.seen) + ", expected " +
         texts.expected + "; " + std::to_string(wrong) + " of " +
         std::to_string(element_count(shape).value_or(0)) + (wrong == 1 ? " differs" : " differ");
}

bool only_bits_differ(const Tensor& expected, const Tensor& seen, Fill::Kind fill) {
  if (is_made_quiet(expected, seen)) return true;
  // The elements of a constant output were not moved, unless they are the same numbers in other bits.
  const bool moved_nothing = is_constant(seen) && (!is_constant(expected) || is_zero(seen));
  if (fill != Fill::Kind::special && moved_nothing && !wrong_values(expected, seen, 1).empty()) return false;
  if (has_any(expected, wrong_values(expected, seen, looked_at)))
    return fill == Fill::Kind::special && is_changed_alike(expected, seen);
  // Zeros in some of an element's places stand where a copy should.
  if (wrong_values(expected, seen, 2) == std::set<Value>{Value{}} && !is_changed_alike(expected, seen))
    return false;
  // All wrong elements are new values, or the same number in other bits, perhaps of another element.
  return !has_any(expected, wrong_values(expected, seen, looked_at, true)) ||
         is_changed_alike(expected, seen);
}

bool holds_elements_of(const Tensor& expected, const Tensor& seen, std::span<const Tensor> others) {
  const std::set<Value> values = wrong_values(expected, seen, looked_at);
  if (values.empty() || has_any(expected, values)) return false;
  for (const Tensor& other : others)
    if (&other != &expected && has_any(other, values)) return true;
  return false;
}

}  // namespace certile::conformance
