#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile::conformance {
namespace {

// Returns elements whose halves, quarters or bytes are alike, although not all of their bytes are: a kernel
// that fills with a narrower pattern has to compare all of them.
std::vector<Tensor::Bits> alike_in_parts(int width) {
  std::vector<Tensor::Bits> elements;
  const auto add = [&](std::uint64_t pattern) {
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    elements.push_back({pattern & mask, width > 64 ? pattern : 0});
  };
  if (width < 16) return elements;
  add(0x3b3b3b3b3b3b3b3b);
  add(0x123b123b123b123b);
  if (width >= 32) add(0x12123b3b12123b3b);
  if (width >= 64) add(0x1234567812345678);
  if (width >= 64) add(0x3b3b3b3b12345678);
  if (width > 64) elements.push_back({0x0123456789abcdef, 0x3b3b3b3b3b3b3b3b});
  return elements;
}

Tensor tensor_of(ElementType type, const Shape& shape, const std::vector<Tensor::Bits>& elements) {
  Tensor tensor(type, shape);
  for (std::int64_t index = 0; index < tensor.count(); ++index)
    tensor.set_element(index, elements[static_cast<std::size_t>(index) % elements.size()]);
  return tensor;
}

// Adds the case of the draft with this data.
void add_with(Sink& sink, const Draft& draft, const Tensor& data, bool follows = false) {
  for (Case question : sink.scope().cases_of(draft)) {
    question.data = data;
    follows ? sink.add_following(question) : sink.add(question);
  }
}

void add_alike_in_parts(Sink& sink, ElementType type) {
  const std::vector<Tensor::Bits> elements = alike_in_parts(bits(type));
  if (elements.empty()) return;
  const auto count = static_cast<std::int64_t>(elements.size());
  const Draft rows{.type = type, .shape = {count, 1}, .repeats = {1, 17}};
  add_with(sink, rows, tensor_of(type, rows.shape, elements));
  for (const Tensor::Bits& element : elements) {
    const Draft alone{.type = type, .shape = {1}, .repeats = {67}};
    add_with(sink, alone, tensor_of(type, alone.shape, {element}));
  }
}

// Adds elements that are zero in one half and differ in the highest byte of the other, such as complex
// numbers without a real part: what compares them by a part of their bytes takes them for copies, or for
// zeros.
void add_alike_in_a_half(Sink& sink, ElementType type) {
  const int width = bits(type);
  if (width < 16) return;
  const int half = width / 2;
  const auto in_half = [&](std::uint64_t byte, bool is_high) {
    const std::uint64_t number = byte << (half - 8);
    if (!is_high) return Tensor::Bits{number, 0};
    return half == 64 ? Tensor::Bits{0, number} : Tensor::Bits{number << half, 0};
  };
  for (const bool is_high : {true, false}) {
    const Draft draft{.type = type, .shape = {3, 1}, .repeats = {1, 40}};
    const Tensor::Bits usual = in_half(0x3b, is_high);
    add_with(sink, draft, tensor_of(type, draft.shape, {usual, in_half(0x3a, is_high), usual}));
  }
}

// [CT-STEADY] Adds data of which only one element differs, at either end or between, one after the other at
// one address: what is known again by its ends, or taken for a constant or for zeros, shows.  Some numbers of
// elements are odd, so that narrow types leave some behind the last whole vector.
void add_alike_but_one(Sink& sink, ElementType type) {
  for (const std::int64_t count : {5, 11, 40, 200, 203, 1000, 1001})
    for (const std::int64_t copies : {1, 3})
      for (const bool is_zero : {false, true}) {
        const Tensor::Bits usual{is_zero ? 0U : 1U, 0}, different{is_zero ? 1U : 0U, 0};
        const Draft draft{.type = type,
                          .shape = {count},
                          .repeats = {copies},
                          .placement = {.guard = Placement::Guard::after}};
        Tensor data = tensor_of(type, draft.shape, {usual});
        add_with(sink, draft, data);
        for (const std::int64_t place : {count / 2, count - 1, std::int64_t{0}}) {
          Tensor other = data;
          other.set_element(place, different);
          add_with(sink, draft, other, true);
        }
      }
}

// Adds zeros of both signs, which are equal as numbers: a kernel that fills or skips has to compare bits.
void add_zeros_of_both_signs(Sink& sink, ElementType type) {
  const auto format = float_format(type);
  if (!format || !format->is_signed) return;
  const Tensor::Bits zero{}, negative{std::uint64_t{1} << (bits(type) - 1), 0};
  for (const std::int64_t count : {4, 9, 67})
    for (const std::int64_t place : {std::int64_t{0}, count / 2, count - 1})
      for (const bool is_mostly_negative : {false, true}) {
        const Draft draft{.type = type, .shape = {count}, .repeats = {2}};
        Tensor data = tensor_of(type, draft.shape, {is_mostly_negative ? negative : zero});
        data.set_element(place, is_mostly_negative ? zero : negative);
        add_with(sink, draft, data);
      }
  // [CT-STEADY] and one after the other at one address, for what keeps the last element that it repeated.
  for (const std::int64_t copies : {3, 67, 1000}) {
    const Draft draft{
        .type = type, .shape = {1}, .repeats = {copies}, .placement = {.guard = Placement::Guard::after}};
    const std::array alone{zero, negative, zero};
    for (std::size_t call = 0; call < alone.size(); ++call)
      add_with(sink, draft, tensor_of(type, draft.shape, {alone[call]}), call > 0);
  }
}

// Adds strings in which a character of two, three or four bytes begins at each place before and after a
// multiple of 16 to 256 bytes: what checks their encoding by vectors must carry over the bytes that a
// character lacks.
void add_characters_across_blocks(Sink& sink) {
  for (const std::size_t block : std::initializer_list<std::size_t>{16, 32, 64, 128, 256}) {
    std::vector<std::string> strings;
    for (const std::string character : {"\u00e9", "\u20ac", "\U0001f600"})
      for (std::size_t before = 1; before <= character.size(); ++before)
        strings.push_back(std::string(block - before, 'a') + character + "b");
    const Draft draft{.type = ElementType::string, .shape = {9}, .repeats = {2}};
    add_with(sink, draft, Tensor::of_strings({9}, strings));
  }
}

// Adds strings of one length of which only one character differs: at either end, or between.
void add_strings_alike_but_one(Sink& sink) {
  for (const std::size_t size : std::initializer_list<std::size_t>{7, 15, 23, 40, 100, 300, 1200}) {
    const std::string text(size, 'a');
    std::vector<std::string> strings{text};
    for (const std::size_t place : {size / 2, std::size_t{0}, size - 1}) {
      strings.push_back(text);
      strings.back()[place] = 'b';
    }
    // Two at a time, because a literal is short; and one after the other at one address.
    for (std::size_t other = 1; other < strings.size(); ++other) {
      const Draft pair{.type = ElementType::string, .shape = {2}, .repeats = {2}};
      add_with(sink, pair, Tensor::of_strings({2}, std::vector{strings[0], strings[other]}));
    }
    // All at once, as far as a literal is long enough.
    const Draft all{.type = ElementType::string, .shape = {4}, .repeats = {1}};
    if (size <= 900) add_with(sink, all, Tensor::of_strings({4}, strings));
    const Draft alone{.type = ElementType::string,
                      .shape = {1},
                      .repeats = {2},
                      .placement = {.guard = Placement::Guard::after}};
    for (const std::string& each : strings)
      add_with(sink, alone, Tensor::of_strings({1}, std::vector{each}), each != text);
  }
  for (std::uint64_t start = 0; start < 7; ++start)
    sink.add(Draft{
        .type = ElementType::string, .shape = {1}, .repeats = {2}, .fill = {Fill::Kind::lengthy, start}});
}

}  // namespace

void add_contents(Sink& sink) {
  sink.begin(Generator::contents);
  for (const ElementType type : sink.scope().types())
    if (type == ElementType::string) {
      add_strings_alike_but_one(sink);
      add_characters_across_blocks(sink);
    } else {
      add_alike_in_parts(sink, type);
      add_alike_in_a_half(sink, type);
      add_zeros_of_both_signs(sink, type);
    }
  for (const auto& types : sink.scope().widths())
    for (const ElementType type : types)
      // Elements that a literal spells in few characters.
      if (is_integer(type) || type == ElementType::boolean) {
        add_alike_but_one(sink, type);
        break;
      }
}

}  // namespace certile::conformance
