#include "reference/values/fill.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/values/element_text.hpp"
#include "reference/values/float_text.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

namespace {

using Patterns = std::vector<std::uint64_t>;

// Returns the patterns of a float that has infinities, and NaNs above them.
Patterns of_ieee_float(const FloatFormat& format) {
  const std::uint64_t one = 1;
  const std::uint64_t sign = one << (format.width - 1);
  const std::uint64_t smallest_normal = one << format.mantissa_bits;
  const std::uint64_t infinity = sign - smallest_normal;
  const std::uint64_t quiet = infinity | smallest_normal >> 1U;
  const std::uint64_t largest_subnormal = smallest_normal - 1;
  const std::uint64_t largest = infinity - 1;
  return {
      quiet | 1,            // a quiet NaN with a payload
      infinity | 1,         // a signalling NaN
      sign | (sign - 1),    // the negative NaN of all ones
      sign | infinity | 1,  // a negative signalling NaN
      infinity,
      sign | infinity,
      sign,  // -0
      1,     // the smallest subnormal
      sign | largest_subnormal,
      smallest_normal,
      largest,
      sign | largest,
      0,
  };
}

Patterns of_integer(int width) {
  const std::uint64_t one = 1;
  const std::uint64_t sign = one << (width - 1);
  Patterns patterns{sign, sign - 1, sign | (sign - 1), 0};
  // The largest integer of two bits is a single bit as well.
  for (int bit = 0; bit < width - 1; ++bit)
    if (one << bit != sign - 1) patterns.push_back(one << bit);
  return patterns;
}

Patterns patterns_of(ElementType type) {
  const auto format = float_format(type);
  if (format && has_infinities(*format)) return of_ieee_float(*format);
  switch (type) {
    // No infinities; both NaNs, -0, subnormals, the smallest normal, extremes.
    case ElementType::f8e4m3:
      return {0x7f, 0xff, 0x80, 0x01, 0x87, 0x08, 0x7e, 0xfe, 0x00};
    // The NaN, 2^-127, 2^127, 2^0, 2^1.
    case ElementType::f8e8m0:
      return {0xff, 0x00, 0xfe, 0x7f, 0x80};
    // -0, both subnormals, the extremes.
    case ElementType::f4e2m1:
      return {0x8, 0x1, 0x9, 0x7, 0xf, 0x0};
    // The extremes -1 and 1, zero, and its neighbours.
    case ElementType::nf4:
      return {0x0, 0xf, 0x7, 0x8, 0x6};
    default:
      break;
  }
  if (is_integer(type) && type != ElementType::u1) return of_integer(bits(type));
  return {};
}

constexpr std::size_t replaced_strings = 4;
using Replaced = std::array<std::string_view, replaced_strings>;

constexpr Replaced invalid_utf8{
    "\xff\xfe",
    "\xc0\x80",      // an overlong NUL
    "\xed\xa0\x80",  // half of a surrogate pair
    "\xe2\x82",      // cut short
};

constexpr Replaced outermost_utf8{
    "\xc2\x80\xdf\xbf",                          // the first and the last character of two bytes
    "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80",      // of three, and those next to the surrogates
    "\xef\xbb\xbf\xef\xbf\xbf\xf4\x8f\xbf\xbf",  // a byte order mark, and the last of three and of four bytes
    "e\xcc\x81",                                 // a letter and its accent, which normalization would join
};

std::vector<std::string> make_strings(const Replaced& replaced) {
  using namespace std::string_literals;
  std::vector<std::string> strings{""s, "\0"s, "a\0b"s, "\0\0tail"s};
  strings.insert(strings.end(), replaced.begin(), replaced.end());
  strings.insert(strings.end(), {
                                    "\xe2\x82\xac",       // a character of three bytes
                                    "\xf0\x9f\x98\x80",   // and of four
                                    "'\"\\\n\r\t\x1b[0m"  // special to shells, JSON and terminals
                                });
  for (const std::size_t size : {15U, 16U, 22U, 23U, 24U, 255U, 256U, 1000U}) {
    strings.emplace_back(size, 's');
    strings.back().back() = static_cast<char>('a' + strings.size() % 26);
  }
  return strings;
}

}  // namespace

std::span<const std::uint64_t> special_values(ElementType type) {
  static const std::array<Patterns, element_type_count> table = [] {
    std::array<Patterns, element_type_count> result;
    for (const ElementType each : all_element_types())
      result[static_cast<std::size_t>(each)] = patterns_of(each);
    return result;
  }();
  return table[static_cast<std::size_t>(type)];
}

std::span<const std::string> special_strings() {
  static const std::vector<std::string> strings = make_strings(invalid_utf8);
  return strings;
}

std::span<const std::string> special_utf8_strings() {
  static const std::vector<std::string> strings = make_strings(outermost_utf8);
  return strings;
}

namespace {

// The position of the mix from which the sequence of single bits begins 1 0 0 1 1 1 0 0 1: rows of two, three
// and four differ, and an only element is not 0.
constexpr std::uint64_t first_of_single_bits = 76;

std::uint64_t single_bit(std::uint64_t position) noexcept {
  return mix(first_of_single_bits + position) >> 63U;
}

// Returns a number below `count`, which is at most 2^32, for a position.
std::uint64_t mixed_below(std::uint64_t count, std::uint64_t position) noexcept {
  return ((mix(position) >> 32U) * count) >> 32U;
}

// Calls `next` for each element in order, and writes the low bits of each result.
template <class Word, class Next>
void write_words(std::span<std::byte> bytes, Next next) {
  for (std::size_t position = 0; position < bytes.size(); position += sizeof(Word)) {
    const auto word = static_cast<Word>(next());
    std::memcpy(bytes.data() + position, &word, sizeof word);
  }
}

template <class Next>
void write_elements(Tensor& tensor, Next next) {
  switch (bits(tensor.type())) {
    case 8:
      return write_words<std::uint8_t>(tensor.bytes(), next);
    case 16:
      return write_words<std::uint16_t>(tensor.bytes(), next);
    case 32:
      return write_words<std::uint32_t>(tensor.bytes(), next);
    case 64:
    case 128:
      return write_words<std::uint64_t>(tensor.bytes(), next);  // c128: two words
    default:
      break;
  }
  std::vector<std::byte> values(static_cast<std::size_t>(tensor.count()));
  write_words<std::uint8_t>(values, next);
  pack_elements(tensor.type(), values, tensor.bytes(), 0);
}

// ---- index

// The patterns of 16 bits and fewer that are not zero bits, a zero, an infinity or a NaN: `positive` of them
// from 1 up, and `negative` from the sign bit and 1 up.
struct NarrowPatterns {
  std::uint64_t positive, negative, sign;
};

NarrowPatterns narrow_patterns(ElementType type) noexcept {
  const int width = bits(type);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::optional<FloatFormat> format = float_format(type);
  if (!format) return {2 * sign - 1, 0, sign};
  return {format->largest_finite, format->is_signed ? format->largest_finite : 0, sign};
}

// Sets as many different patterns as the type has, in long strides, and mixed ones after them.
void index_narrow(Tensor& tensor) {
  // A prime that divides no count, so that the strides meet every pattern.
  constexpr std::uint64_t stride = 48271;
  const NarrowPatterns patterns = narrow_patterns(tensor.type());
  const std::uint64_t count = patterns.positive + patterns.negative;
  const std::uint64_t step = stride % count;
  std::uint64_t chosen = 0;
  std::uint64_t index = 0;
  write_elements(tensor, [&] {
    if (index < count) {
      chosen += step;
      if (chosen >= count) chosen -= count;
    } else {
      chosen = mixed_below(count, index);
    }
    ++index;
    return chosen < patterns.positive ? 1 + chosen : patterns.sign + 1 + (chosen - patterns.positive);
  });
}

// Returns `number` as an f32 if it is exact; beyond 2^24 one of the positive finite patterns.
std::uint32_t f32_of_index(std::uint64_t number) noexcept {
  constexpr std::uint64_t exact = 1U << 24U;
  constexpr std::uint64_t finite = 0x7f7fffff;
  if (number <= exact) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return static_cast<std::uint32_t>(1 + mixed_below(finite, number));
}

// Returns `number` as an f64: no memory holds the 2^53 elements beyond which that is not exact.
std::uint64_t f64_of_index(std::uint64_t number) noexcept {
  return std::bit_cast<std::uint64_t>(static_cast<double>(number));
}

// Returns `number` if 31 or 32 bits hold it, else a mix that is not 0.
std::uint64_t integer_of_index(ElementType type, std::uint64_t number) noexcept {
  constexpr std::uint64_t all = 0xffffffff;
  const std::uint64_t most = type == ElementType::i32 ? all >> 1U : all;
  return bits(type) == 64 || number <= most ? number : 1 + mixed_below(all, number);
}

void index_complex(Tensor& tensor) {
  std::uint64_t number = 0;
  if (tensor.type() == ElementType::c64) {
    constexpr std::uint64_t minus = std::uint64_t{1} << 63U;
    return write_elements(tensor, [&] {
      const std::uint64_t real = f32_of_index(++number);
      return minus | real << 32U | real;
    });
  }
  bool imaginary = true;
  write_elements(tensor, [&] {
    constexpr std::uint64_t minus = std::uint64_t{1} << 63U;
    imaginary = !imaginary;
    return imaginary ? minus | f64_of_index(number) : f64_of_index(++number);
  });
}

void index_numbers(Tensor& tensor) {
  const ElementType type = tensor.type();
  std::uint64_t number = 0;
  switch (type) {
    case ElementType::boolean:
    case ElementType::u1:
      return write_elements(tensor, [&] { return single_bit(number++); });
    case ElementType::f32:
      return write_elements(tensor, [&] { return f32_of_index(++number); });
    case ElementType::f64:
      return write_elements(tensor, [&] { return f64_of_index(++number); });
    case ElementType::c64:
    case ElementType::c128:
      return index_complex(tensor);
    default:
      break;
  }
  if (bits(type) < 32) return index_narrow(tensor);
  write_elements(tensor, [&] { return integer_of_index(type, ++number); });
}

std::string index_string(std::uint64_t index) {
  constexpr std::size_t least = 33;  // longer than the strings that libraries store inside the string object
  std::string characters = std::to_string(index + 1);
  characters.resize(least + index % 5, '.');
  if (index % 7 == 6) characters[least - 2] = '\0';
  return characters;
}

// ---- bits

void random_numbers(Tensor& tensor, std::uint64_t seed) {
  const std::uint64_t stream = mix(seed);
  const bool is_boolean = tensor.type() == ElementType::boolean;
  std::uint64_t index = 0;
  write_elements(tensor, [&] {
    const std::uint64_t word = mix(stream + index++);
    return is_boolean ? word >> 63U : word;
  });
}

// The length of a random string, and the numbers from which its characters are made.
struct RandomString {
  std::uint64_t stream, size;
};

RandomString random_string(std::uint64_t seed, std::uint64_t index) noexcept {
  constexpr std::uint64_t longest = 40;
  const std::uint64_t stream = mix(mix(seed) + index);
  return {stream, mixed_below(longest + 1, stream)};
}

std::string random_bytes(std::uint64_t seed, std::uint64_t index) {
  const RandomString random = random_string(seed, index);
  std::string characters(random.size, '\0');
  for (std::size_t position = 0; position < characters.size(); ++position)
    characters[position] = static_cast<char>(mix(random.stream + 1 + position) & 0xffU);
  return characters;
}

// Returns a character whose UTF-8 has `size` bytes, 1 to 4; never half of a surrogate pair.
std::uint32_t random_character(std::uint64_t word, std::uint64_t size) noexcept {
  constexpr std::array<std::uint32_t, 5> first{0, 0x80, 0x800, 0x10000, 0x110000};
  constexpr std::uint32_t surrogates = 0xd800;
  constexpr std::uint32_t behind_surrogates = 0xe000;
  const std::uint32_t least = first[size - 1];
  const std::uint32_t hole = size == 3 ? behind_surrogates - surrogates : 0;
  const std::uint32_t count = first[size] - least - hole;
  const std::uint32_t character = least + static_cast<std::uint32_t>(word % count);
  return hole != 0 && character >= surrogates ? character + hole : character;
}

// Returns random characters: one number gives the size of each, and which one it is.
std::string random_utf8(std::uint64_t seed, std::uint64_t index) {
  const RandomString random = random_string(seed, index);
  std::string characters;
  for (std::uint64_t position = 1; characters.size() < random.size; ++position) {
    const std::uint64_t word = mix(random.stream + position);
    const std::uint64_t room = std::min<std::uint64_t>(random.size - characters.size(), 4);
    append_utf8(characters, random_character(word >> 32U, 1 + (word & 0xffffffffU) % room));
  }
  return characters;
}

// ---- special

// The indices of a list of `count` values, again and again, each round one further on than the last: counted,
// because two divisions for each element would take most of the time.
class Cycle {
 public:
  Cycle(std::uint64_t position, std::size_t count) noexcept
      : count_(count),
        next_(static_cast<std::size_t>((position + position / count) % count)),
        left_(count - static_cast<std::size_t>(position % count)) {}

  // Returns the index of the present position, and goes on to the next.
  std::size_t advance() noexcept {
    const std::size_t index = next_;
    step();
    if (--left_ == 0) {
      step();
      left_ = count_;
    }
    return index;
  }

 private:
  void step() noexcept { next_ = next_ + 1 == count_ ? 0 : next_ + 1; }

  std::size_t count_, next_;
  std::size_t left_;  // positions of the present round, this one included
};

void special_numbers(Tensor& tensor, std::uint64_t seed) {
  const ElementType type = tensor.type();
  const bool is_complex = type == ElementType::c64 || type == ElementType::c128;
  const bool is_c64 = type == ElementType::c64;
  const ElementType part = is_c64 ? ElementType::f32 : is_complex ? ElementType::f64 : type;
  const std::span<const std::uint64_t> values = special_values(part);
  if (values.empty()) return write_elements(tensor, [&] { return single_bit(seed++); });
  Cycle cycle(seed, values.size());
  const auto next = [&] { return values[cycle.advance()]; };
  if (!is_c64) return write_elements(tensor, next);
  write_elements(tensor, [&] {
    const std::uint64_t real = next();
    return next() << 32U | real;
  });
}

// ---- zero

// Returns the pattern of -0; zero bits if the type has none.
std::uint64_t negative_zero(ElementType type) noexcept {
  if (type == ElementType::c64) return 0x80000000'80000000U;
  if (type == ElementType::c128) return std::uint64_t{1} << 63U;
  const auto format = float_format(type);
  return format && format->is_signed ? std::uint64_t{1} << (bits(type) - 1) : 0;
}

void zero_numbers(Tensor& tensor, std::uint64_t seed) {
  const std::uint64_t pattern = seed % 2 == 0 ? 0 : negative_zero(tensor.type());
  write_elements(tensor, [&] { return pattern; });
}

// ---- lengthy

// Returns a string of the length whose characters have no short period, and differ from another element's.
std::string lengthy_string(std::uint64_t position) {
  constexpr std::array<std::size_t, 8> lengths{65'536, 4'096,   65'535,    70'001,
                                               4'095,  300'007, 1'048'577, 16'777'219};
  std::string text(lengths[position % lengths.size()], ' ');
  for (std::size_t place = 0; place < text.size(); ++place)
    text[place] = static_cast<char>('a' + (place * 7 + place / 26 + position) % 26);
  return text;
}

Tensor filled_strings(DefinitionId definition, Shape shape, const Fill& fill) {
  const bool may_be_any_bytes = !fills_are_utf8(definition);
  const std::span<const std::string> special = may_be_any_bytes ? special_strings() : special_utf8_strings();
  const auto count = static_cast<std::uint64_t>(element_count(shape).value());
  std::vector<std::string> strings;
  strings.reserve(count);
  Cycle cycle(fill.seed, special.size());
  for (std::uint64_t index = 0; index < count; ++index) {
    switch (fill.kind) {
      case Fill::Kind::index:
        strings.push_back(index_string(index));
        break;
      case Fill::Kind::bits:
        strings.push_back(may_be_any_bytes ? random_bytes(fill.seed, index) : random_utf8(fill.seed, index));
        break;
      case Fill::Kind::special:
        strings.push_back(special[cycle.advance()]);
        break;
      case Fill::Kind::zero:
        strings.emplace_back();
        break;
      case Fill::Kind::lengthy:
        strings.push_back(lengthy_string(fill.seed + index));
        break;
      case Fill::Kind::brief:
        strings.push_back(std::to_string(fill.seed + index));
        break;
    }
  }
  return Tensor::of_strings(std::move(shape), strings);
}

}  // namespace

Tensor make_filled(DefinitionId definition, ElementType type, Shape shape, const Fill& fill) {
  if (type == ElementType::string) return filled_strings(definition, std::move(shape), fill);
  Tensor tensor(type, std::move(shape));
  switch (fill.kind) {
    case Fill::Kind::index:
    case Fill::Kind::lengthy:
    case Fill::Kind::brief:
      index_numbers(tensor);
      break;
    case Fill::Kind::bits:
      random_numbers(tensor, fill.seed);
      break;
    case Fill::Kind::special:
      special_numbers(tensor, fill.seed);
      break;
    case Fill::Kind::zero:
      zero_numbers(tensor, fill.seed);
      break;
  }
  return tensor;
}

Fill fill_of_thread(Fill fill, int thread) noexcept {
  if (thread == 0) return fill;
  if (fill.kind == Fill::Kind::index) fill.kind = Fill::Kind::bits;
  fill.seed += static_cast<std::uint64_t>(thread);
  return fill;
}

Tensor data_of(const Case& question, int thread) {
  const Tensor& data = question.data;
  if (question.placement.shape_only) return Tensor::without_elements(data.type(), data.shape());
  Tensor made = data.bytes().empty() ? make_filled(question.definition, data.type(), data.shape(),
                                                   fill_of_thread(question.fill, thread))
                                     : data;
  if (is_packed(made.type()) && !made.bytes().empty())
    made.bytes().back() |= ~used_bits_of_last_byte(made.type(), made.count());
  return made;
}

}  // namespace certile
