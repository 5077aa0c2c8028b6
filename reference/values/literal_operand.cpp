#include "reference/values/literal_operand.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "reference/values/element_text.hpp"

namespace certile {
namespace {

Result<ElementType> take_type(LiteralScanner& scanner) {
  LiteralScanner ahead = scanner;
  const std::optional<ElementType> type = element_type_named(ahead.take_name());
  if (!type) return scanner.expected("an element type such as f32");
  scanner = ahead;
  return *type;
}

Result<Shape> take_shape(LiteralScanner& scanner) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::size_t begin = scanner.position();
  Shape shape;
  if (!scanner.take('[')) return scanner.expected("[");
  if (scanner.take(']')) return shape;
  for (;;) {
    const Result<std::uint64_t> dimension = scanner.take_integer("a dimension", 0, largest);
    if (!dimension) return dimension.error();
    shape.push_back(static_cast<std::int64_t>(*dimension));
    if (scanner.take(']')) break;
    if (!scanner.take(',')) return scanner.expected(", or ] after a dimension");
  }
  if (!element_count(shape)) return LiteralScanner::at(begin, "the shape has more than 2^63 - 1 elements");
  return shape;
}

// Reads the spelling of the next element, which must suit the type.
Result<std::string_view> take_spelling(LiteralScanner& scanner, ElementType type) {
  if (scanner.peek() == '"') return scanner.take_string();
  const std::string_view spelling = scanner.take_number();
  if (spelling.empty()) return scanner.expected("an element of " + std::string(name(type)));
  return spelling;
}

// The elements read so far: the bits of numbers, or strings.
struct Elements {
  std::vector<Tensor::Bits> bits;
  std::vector<std::string> strings;
};

Result<Done> take_element(LiteralScanner& scanner, ElementType type, Elements& elements) {
  const std::size_t begin = scanner.position();
  const Result<std::string_view> spelling = take_spelling(scanner, type);
  if (!spelling) return spelling.error();
  if (type == ElementType::string) {
    Result<std::string> characters = string_from_text(*spelling);
    if (!characters) return LiteralScanner::at(begin, characters.error().what);
    elements.strings.push_back(*std::move(characters));
    return Done{};
  }
  const Result<Tensor::Bits> bits = element_from_text(type, *spelling);
  if (!bits) return LiteralScanner::at(begin, bits.error().what);
  elements.bits.push_back(*bits);
  return Done{};
}

Result<Elements> take_elements(LiteralScanner& scanner, ElementType type) {
  Elements elements;
  if (!scanner.take('{')) return scanner.expected("{");
  if (scanner.take('}')) return elements;
  for (;;) {
    if (const auto taken = take_element(scanner, type, elements); !taken) return taken.error();
    if (scanner.take('}')) return elements;
    if (!scanner.take(',')) return scanner.expected(", or } after an element");
  }
}

Tensor tensor_of(ElementType type, Shape shape, const Elements& elements) {
  if (type == ElementType::string) return Tensor::of_strings(std::move(shape), elements.strings);
  Tensor tensor(type, std::move(shape));
  for (std::size_t index = 0; index < elements.bits.size(); ++index)
    tensor.set_element(static_cast<std::int64_t>(index), elements.bits[index]);
  return tensor;
}

void append_elements(std::string& text, const Tensor& operand) {
  const std::int64_t count = operand.bytes().empty() ? 0 : operand.count();
  for (std::int64_t index = 0; index < count; ++index) {
    text += index == 0 ? '{' : ',';
    if (operand.type() == ElementType::string)
      text += string_to_text(operand.string_element(index));
    else
      append_element(text, operand.type(), operand.element(index));
  }
  text += count == 0 ? "{}" : "}";
}

void append_dimension(std::string& text, std::int64_t dimension) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), dimension);
  text.append(digits.data(), end.ptr);
}

}  // namespace

Result<Tensor> take_operand(LiteralScanner& scanner) {
  const Result<ElementType> type = take_type(scanner);
  if (!type) return type.error();
  Shape shape;
  const bool has_shape = scanner.peek() == '[';
  if (has_shape) {
    Result<Shape> taken = take_shape(scanner);
    if (!taken) return taken.error();
    shape = *std::move(taken);
  } else if (scanner.peek() != '{') {
    return scanner.expected("[ or {");
  }
  if (scanner.peek() != '{') return Tensor::without_elements(*type, std::move(shape));
  const std::size_t begin = scanner.position();
  const Result<Elements> elements = take_elements(scanner, *type);
  if (!elements) return elements.error();
  const auto spelled = static_cast<std::int64_t>(elements->bits.size() + elements->strings.size());
  if (!has_shape) shape = {spelled};
  const std::int64_t wanted = element_count(shape).value();
  if (spelled != wanted)
    return LiteralScanner::at(begin, "the shape has " + std::to_string(wanted) + " elements, the braces " +
                                         std::to_string(spelled));
  return tensor_of(*type, std::move(shape), *elements);
}

void append_operand(std::string& text, const Tensor& operand) {
  if (operand.bytes().empty()) return append_type_and_shape(text, operand.type(), operand.shape());
  append_spelled_operand(text, operand);
}

void append_spelled_operand(std::string& text, const Tensor& operand) {
  if (operand.shape().size() == 1) {
    text += name(operand.type());
  } else {
    append_type_and_shape(text, operand.type(), operand.shape());
  }
  append_elements(text, operand);
}

void append_type_and_shape(std::string& text, ElementType type, const Shape& shape) {
  text += name(type);
  char separator = '[';
  for (const std::int64_t dimension : shape) {
    text += separator;
    append_dimension(text, dimension);
    separator = ',';
  }
  text += shape.empty() ? "[]" : "]";
}

}  // namespace certile
