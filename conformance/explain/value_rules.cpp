#include "conformance/explain/value_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "conformance/ask/rig/rig.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// A call that a backend may have answered instead: the elements of the data in their order, with other sizes.
struct OtherCall {
  Shape data, repeats;
};

// Returns the index in the data of an element of the call's output.
std::int64_t source_of(const OtherCall& call, std::int64_t index) {
  std::int64_t from = 0, stride = 1;
  for (std::size_t axis = call.data.size(); axis-- > 0;) {
    from += index % call.data[axis] * stride;
    stride *= call.data[axis];
    index /= call.data[axis] * call.repeats[axis];
  }
  return from;
}

bool is_output_of(const OtherCall& call, const WrongElements& found) {
  for (std::int64_t index = 0; index < found.count(); ++index)
    if (found.is_unwritten(index) ||
        element_key(found.seen, index) != element_key(found.data, source_of(call, index)))
      return false;
  return true;
}

}  // namespace

std::string of_exchanged_axes(const WrongElements& found) {
  OtherCall call{found.data.shape(), {}};
  const std::size_t rank = call.data.size();
  for (std::size_t axis = 0; axis < rank; ++axis)
    call.repeats.push_back(found.copies(axis));
  // Several pairs explain an output where an axis has size 1; the axes that are next to each other come
  // first.
  for (std::size_t distance = 1; distance < rank; ++distance)
    for (std::size_t axis = 0; axis + distance < rank; ++axis)
      for (const bool is_data : {false, true}) {
        const std::size_t other = axis + distance;
        OtherCall exchanged = call;
        Shape& sizes = is_data ? exchanged.data : exchanged.repeats;
        if (sizes[axis] == sizes[other]) continue;
        std::swap(sizes[axis], sizes[other]);
        if (is_output_of(exchanged, found))
          return fmt::format("those of a call in which axes {} and {} of the data have exchanged their {}",
                             axis, other, is_data ? "sizes" : "repeats");
      }
  std::ranges::reverse(call.repeats);
  return is_output_of(call, found) ? "those of a call with the repeats in the opposite order" : "";
}

namespace {

bool all_wrong(const WrongElements& found, const auto& holds) {
  return std::ranges::all_of(found.wrong, holds);
}

std::string not_written(const WrongElements& found) {
  if (!all_wrong(found, [&](std::int64_t index) { return found.is_unwritten(index); })) return {};
  return "unwritten";
}

// Recognizes elements that hold what the rig puts into the output before a call.
std::string left_as_it_was(const WrongElements& found) {
  if (found.seen.type() == ElementType::string || is_packed(found.seen.type())) return {};
  for (const std::byte poison : Rig::poison)
    if (all_wrong(found, [&](std::int64_t index) {
          const std::string key = element_key(found.seen, index);
          return std::ranges::all_of(key,
                                     [poison](char byte) { return static_cast<std::byte>(byte) == poison; });
        }))
      return fmt::format("what the output held before the call, {:#04x} in each byte: probably not written",
                         std::to_integer<unsigned>(poison));
  return {};
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

// Recognizes data whose last two axes were read in the opposite order.
std::string swapped_axes(const WrongElements& found) {
  const Shape& shape = found.data.shape();
  if (shape.size() < 2 || shape.back() < 2 || shape[shape.size() - 2] < 2) return {};
  const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
  const bool all = all_wrong(found, [&](std::int64_t index) {
    Shape places = places_of(found.shape(), index);
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < places.size(); ++axis)
      from = from * shape[axis] + places[axis] % shape[axis];
    const std::int64_t row = from / columns % rows, column = from % columns;
    const std::int64_t swapped = from - row * columns - column + column * rows + row;
    return !found.is_unwritten(index) && element_key(found.seen, index) == element_key(found.data, swapped);
  });
  return all && found.wrong.size() > 1 ? "those of the data with its last two axes swapped" : "";
}

// Recognizes an output that is as a whole the data over and over, as if the data had one axis.
std::string one_row(const WrongElements& found) {
  for (std::int64_t index = 0; index < found.count(); ++index)
    if (found.is_unwritten(index) ||
        element_key(found.seen, index) != element_key(found.data, index % found.data.count()))
      return {};
  return "those of the data over and over, as if the data had one axis";
}

// Returns the words for a distance in elements of the output, in the largest unit of it.
std::string distance_words(const WrongElements& found, std::int64_t distance, std::int64_t stride) {
  const std::int64_t row = found.shape().empty() ? 1 : found.shape().back();
  const std::int64_t count = distance / stride;
  if (stride == 1) return counted(distance, "place");
  return counted(count, stride == row ? "row" : "place") +
         (stride == row ? "" : fmt::format(" of {} elements", stride));
}

// Recognizes a counter that is too narrow: what should be 256 or more is counted from 0 again, so elements
// are those that belong 256 places, rows or bytes, or a multiple of that, earlier.
std::string wrapped_around(const WrongElements& found) {
  constexpr std::size_t telling = 4;
  if (found.wrong.size() < telling || is_packed(found.seen.type())) return {};
  const std::int64_t width = std::max(bits(found.seen.type()) / 8, 1);
  std::set<std::int64_t, std::greater<>> strides{1};  // 256 rows are a multiple of 256 places, too
  std::int64_t inner = 1;
  for (std::size_t axis = found.shape().size(); axis-- > 1;)
    strides.insert(inner *= found.shape()[axis]);
  for (const std::int64_t numbers : {65'536, 256})
    for (const bool is_bytes : {false, true})
      for (const std::int64_t stride : strides) {
        if (is_bytes && (stride > 1 || width == 1 || numbers % width != 0)) continue;
        const std::int64_t distance = is_bytes ? numbers / width : numbers * stride;
        const bool all = all_wrong(found, [&](std::int64_t index) {
          if (found.is_unwritten(index)) return false;
          const std::string key = element_key(found.seen, index);
          for (std::int64_t from = index - distance; from >= 0; from -= distance)
            if (element_key(found.expected, from) == key) return true;
          return false;
        });
        if (!all) continue;
        const std::string words =
            is_bytes ? counted(numbers, "byte") : distance_words(found, distance, stride);
        return fmt::format("each what belongs {}, or a multiple of that, earlier", words);
      }
  return {};
}

// Recognizes elements whose halves, words or bytes were written in the opposite order.
std::string exchanged_parts(const WrongElements& found) {
  const ElementType type = found.expected.type();
  if (is_packed(type) || type == ElementType::string) return {};
  const std::size_t width = static_cast<std::size_t>(bits(type)) / 8;
  for (std::size_t part = width / 2; part > 0; part /= 2) {
    const bool all = all_wrong(found, [&](std::int64_t index) {
      const std::string right = element_key(found.expected, index);
      std::string key;
      for (std::size_t end = width; end > 0; end -= part)
        key += right.substr(end - part, part);
      return !found.is_unwritten(index) && key == element_key(found.seen, index);
    });
    if (!all) continue;
    if (part == 1) return "the expected ones with their bytes in the opposite order";
    return part == width / 2
               ? "the expected ones with their halves exchanged"
               : fmt::format("the expected ones with their words of {} bytes in the opposite order", part);
  }
  return {};
}

// The change that arithmetic made to a number.
enum class Change { nothing, zero_without_sign, quiet_nan, other_nan, flushed };

std::string_view words_for(Change change) {
  switch (change) {
    case Change::zero_without_sign:
      return "−0 became +0";
    case Change::quiet_nan:
      return "signalling NaNs became quiet";
    case Change::other_nan:
      return "NaNs became other NaNs";
    case Change::flushed:
      return "subnormal numbers became zero";
    default:
      return "";
  }
}

// The bits of a floating-point format of 16 bits or more.
class Bits {
 public:
  explicit Bits(const FloatFormat& format)
      : width_(format.width),
        mantissa_((std::uint64_t{1} << format.mantissa_bits) - 1),
        quiet_(std::uint64_t{1} << (format.mantissa_bits - 1)),
        sign_(std::uint64_t{1} << (format.width - 1)),
        exponent_((sign_ - 1) & ~mantissa_) {}

  int width() const { return width_; }
  // Returns nothing if arithmetic explains no such change.
  std::optional<Change> change(std::uint64_t from, std::uint64_t to) const {
    if (from == to) return Change::nothing;
    if (is_nan(from) && is_nan(to)) {
      const bool was_signalling = (from & quiet_) == 0;
      return was_signalling && to == (from | quiet_) ? Change::quiet_nan : Change::other_nan;
    }
    const bool becomes_zero = (to & ~sign_) == 0;
    if (from == sign_ && to == 0) return Change::zero_without_sign;
    if ((from & exponent_) == 0 && (from & mantissa_) != 0 && becomes_zero) return Change::flushed;
    return std::nullopt;
  }

 private:
  bool is_nan(std::uint64_t pattern) const {
    return (pattern & exponent_) == exponent_ && (pattern & mantissa_) != 0;
  }

  int width_;
  std::uint64_t mantissa_, quiet_, sign_, exponent_;
};

// Returns what happened to all wrong elements, which consist of numbers of this format; empty if anything
// else happened to one.
std::set<Change> changes_of(const WrongElements& found, const Bits& format, bool is_own) {
  std::set<Change> changes;
  const std::uint64_t mask =
      format.width() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.width()) - 1;
  for (const std::int64_t index : found.wrong) {
    if (found.is_unwritten(index)) return {};
    const Tensor::Bits right = found.expected.element(index), wrong = found.seen.element(index);
    for (int bit = 0; bit < bits(found.expected.type()); bit += format.width()) {
      const auto part = [&](const Tensor::Bits& it) {
        return (bit < 64 ? it.low >> bit : it.high >> (bit - 64)) & mask;
      };
      const auto change = format.change(part(right), part(wrong));
      if (!change) return {};
      // Small whole numbers, read as another type, are subnormal numbers; their zeros say nothing.
      if (*change == Change::flushed && !is_own) return {};
      if (*change != Change::nothing) changes.insert(*change);
    }
  }
  return changes;
}

// Returns the formats in which the elements may have been read: their own, or those of their width.
std::vector<ElementType> formats_for(ElementType type) {
  switch (bits(type)) {
    case 16:
      return type == ElementType::bf16 ? std::vector{type} : std::vector{ElementType::f16, ElementType::bf16};
    case 32:
      return {ElementType::f32};
    case 64:
      return type == ElementType::c64 ? std::vector{ElementType::f32}
                                      : std::vector{ElementType::f64, ElementType::f32};
    case 128:
      return {ElementType::f64};
    default:
      return {};
  }
}

// Recognizes elements that went through floating-point arithmetic instead of being moved: zeros that lost
// their sign, NaNs that became quiet, subnormal numbers that became zero.  Elements of another type, such as
// i32, are read as floating-point numbers of their width.
std::string changed_by_arithmetic(const WrongElements& found) {
  const ElementType type = found.expected.type();
  if (type == ElementType::string) return {};
  for (const ElementType format : formats_for(type)) {
    const bool is_own = type == format || type == ElementType::c64 || type == ElementType::c128;
    const std::set<Change> changes = changes_of(found, Bits(*float_format(format)), is_own);
    if (changes.empty()) continue;
    std::vector<std::string> words;
    for (const Change change : changes)
      words.emplace_back(words_for(change));
    return fmt::format("the expected ones, but {}{}", is_own ? "" : fmt::format("read as {}, ", name(format)),
                       joined(words, " and "));
  }
  return {};
}

// An integer type through which numbers may have gone, by its lowest and highest number.
struct Narrower {
  const char* name;
  int width;
  bool is_signed;
  std::int64_t low, high;
};
constexpr std::array<Narrower, 6> narrower_types{{{"i32", 32, true, INT32_MIN, INT32_MAX},
                                                  {"u32", 32, false, 0, UINT32_MAX},
                                                  {"i16", 16, true, INT16_MIN, INT16_MAX},
                                                  {"u16", 16, false, 0, UINT16_MAX},
                                                  {"i8", 8, true, INT8_MIN, INT8_MAX},
                                                  {"u8", 8, false, 0, UINT8_MAX}}};

// Returns the whole number; nothing if 64 bits with a sign do not hold it.
std::optional<std::int64_t> whole_number(const Tensor& tensor, std::int64_t index) {
  const auto number = number_at(tensor.view(), index);
  return number && !number->beyond ? std::optional(number->value) : std::nullopt;
}

std::int64_t cut_to(const Narrower& type, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number) << (64 - type.width);
  return type.is_signed ? static_cast<std::int64_t>(bits) >> (64 - type.width)
                        : static_cast<std::int64_t>(bits >> (64 - type.width));
}

// Returns the number after a way through a floating-point type; nothing where that is too large to return.
template <typename Float>
std::optional<std::int64_t> through(std::int64_t number) {
  const auto rounded = static_cast<Float>(number);
  constexpr auto limit = static_cast<Float>(0x1p63);
  return rounded < limit && rounded >= -limit ? std::optional(static_cast<std::int64_t>(rounded))
                                              : std::nullopt;
}

// Recognizes whole numbers that went through a type that cannot hold all of them, right elements included.
std::string through_a_narrower_type(const WrongElements& found) {
  const ElementType type = found.expected.type();
  if (!is_integer(type) || is_packed(type)) return {};
  const auto all = [&found](const auto& change) {
    for (std::int64_t index = 0; index < found.count(); ++index) {
      const auto right = whole_number(found.expected, index), wrong = whole_number(found.seen, index);
      if (found.is_unwritten(index) || !right || !wrong || change(*right) != wrong) return false;
    }
    return true;
  };
  const std::string before = "the expected ones ";
  for (const Narrower& each : narrower_types) {
    if (each.width >= bits(type)) continue;
    if (all([&](std::int64_t number) { return std::optional(std::clamp(number, each.low, each.high)); }))
      return before + "clamped to the range of " + each.name;
    if (all([&](std::int64_t number) { return std::optional(cut_to(each, number)); }))
      return before + "cut to " + std::to_string(each.width) + " bits, as " + each.name;
  }
  if (all(through<double>)) return before + "rounded to f64";
  return all(through<float>) ? before + "rounded to f32" : "";
}

// Recognizes strings that are right up to one byte.
std::string cut_strings(const WrongElements& found) {
  if (found.expected.type() != ElementType::string) return {};
  std::set<std::int64_t> ends;
  bool are_cut = true;
  for (const std::int64_t index : found.wrong) {
    if (found.is_unwritten(index)) return {};
    const std::string_view right = found.expected.string_element(index),
                           wrong = found.seen.string_element(index);
    const auto same = std::ranges::mismatch(right, wrong).in1 - right.begin();
    ends.insert(same);
    are_cut = are_cut && same == std::ssize(wrong);
  }
  if (ends.size() != 1 || (*ends.begin() == 0 && !are_cut)) return {};
  return are_cut ? "the expected ones, cut to " + counted(*ends.begin(), "byte")
                 : "the expected ones, wrong from byte " + with_thousands(*ends.begin()) + " on";
}

// Recognizes a short pattern that is stored over and over although the data have another period, as if its
// size were a multiple of theirs.
std::string other_period(const WrongElements& found) {
  constexpr std::int64_t longest = 64, times = 3;
  if (found.wrong.size() < 2) return {};
  const std::int64_t first = found.wrong.front();
  const auto repeats = [&](const Tensor& tensor, std::int64_t index, std::int64_t period) {
    return element_key(tensor, index) == element_key(tensor, index - period);
  };
  for (std::int64_t period = 2; period <= std::min(longest, found.count() / times); ++period) {
    const auto seen_repeats = [&](std::int64_t index) {
      return !found.is_unwritten(index) && repeats(found.seen, index, period);
    };
    // Between these, each element is the one a period earlier.
    std::int64_t begin = std::max(first, period), end = begin;
    while (end < found.count() && seen_repeats(end))
      ++end;
    while (begin > period && seen_repeats(begin - 1))
      --begin;
    const auto inside = std::ranges::count_if(found.wrong, [&](std::int64_t index) { return index < end; });
    bool is_expected = true;
    for (std::int64_t index = begin; index < end && is_expected; ++index)
      is_expected = repeats(found.expected, index, period);
    if (end - begin + period < times * period || 2 * inside <= std::ssize(found.wrong) || is_expected)
      continue;
    return fmt::format("{}those of a pattern of {} that the output repeats from element {} on",
                       inside == std::ssize(found.wrong) ? "" : "mostly ", counted(period, "element"),
                       begin - period);
  }
  return {};
}

// Returns true if each wrong element was written, and is one of the data's or, if not `is_there`, none of
// them.
bool are_of_the_data(const WrongElements& found, bool is_there) {
  constexpr std::int64_t most = 1'000'000;
  if (found.data.count() > most) return false;
  std::unordered_set<std::string> data;
  for (std::int64_t index = 0; index < found.data.count(); ++index)
    data.insert(element_key(found.data, index));
  return all_wrong(found, [&](std::int64_t index) {
    return !found.is_unwritten(index) && data.contains(element_key(found.seen, index)) == is_there;
  });
}

std::string of_the_data(const WrongElements& found) {
  if (!are_of_the_data(found, true)) return {};
  return found.wrong.size() == 1 ? "another element of the data" : "each another element of the data";
}

std::string foreign(const WrongElements& found) {
  return are_of_the_data(found, false) ? "not among the data's" : "";
}

}  // namespace

std::string what_instead(const WrongElements& found, std::span<const WrongElements> also) {
  // The first that holds is the most special one.
  for (const auto rule :
       {not_written, left_as_it_was, one_row, of_exchanged_axes, repeated_elements, swapped_axes,
        exchanged_parts, changed_by_arithmetic, through_a_narrower_type, cut_strings, one_value, shifted,
        wrapped_around, other_period, of_the_data, foreign}) {
    std::string words = rule(found);
    if (words.empty()) continue;
    const auto times =
        std::ranges::count_if(also, [rule](const auto& other) { return !rule(other).empty(); });
    if (4 * times >= 3 * std::ssize(also)) return words;
  }
  return {};
}

}  // namespace certile::conformance
