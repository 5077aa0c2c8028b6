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

// The canonical spelling of the element that comes next.
Result<std::string> take_element(LiteralScanner& scanner, ElementType type) {
  const std::size_t begin = scanner.position();
  std::string_view spelling;
  if (scanner.peek() == '"') {
    const Result<std::string_view> quoted = scanner.take_string();
    if (!quoted) return quoted.error();
    spelling = *quoted;
  } else {
    spelling = scanner.take_number();
    if (spelling.empty()) return scanner.expected("an element of " + std::string(name(type)));
  }
  if (type == ElementType::string) {
    const Result<std::string> characters = string_from_text(spelling);
    if (!characters) return LiteralScanner::at(begin, characters.error().what);
    return string_to_text(*characters);
  }
  const Result<Tensor::Bits> bits = element_from_text(type, spelling);
  if (!bits) return LiteralScanner::at(begin, bits.error().what);
  return element_to_text(type, *bits);
}

Result<std::vector<std::string>> take_elements(LiteralScanner& scanner, ElementType type) {
  std::vector<std::string> elements;
  if (!scanner.take('{')) return scanner.expected("{");
  if (scanner.take('}')) return elements;
  for (;;) {
    Result<std::string> element = take_element(scanner, type);
    if (!element) return element.error();
    elements.push_back(*std::move(element));
    if (scanner.take('}')) return elements;
    if (!scanner.take(',')) return scanner.expected(", or } after an element");
  }
}

void append_dimension(std::string& text, std::int64_t dimension) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), dimension);
  text.append(digits.data(), end.ptr);
}

}  // namespace

Result<Operand> take_operand(LiteralScanner& scanner) {
  const Result<ElementType> type = take_type(scanner);
  if (!type) return type.error();
  Operand operand{*type, {}, std::nullopt};
  const bool has_shape = scanner.peek() == '[';
  if (has_shape) {
    Result<Shape> shape = take_shape(scanner);
    if (!shape) return shape.error();
    operand.shape = *std::move(shape);
  } else if (scanner.peek() != '{') {
    return scanner.expected("[ or {");
  }
  const std::size_t begin = scanner.position();
  if (scanner.peek() == '{') {
    Result<std::vector<std::string>> elements = take_elements(scanner, *type);
    if (!elements) return elements.error();
    const auto spelled = static_cast<std::int64_t>(elements->size());
    if (!has_shape) operand.shape = {spelled};
    const std::int64_t wanted = element_count(operand.shape).value();
    if (spelled != wanted)
      return LiteralScanner::at(begin, "the shape has " + std::to_string(wanted) + " elements, the braces " +
                                           std::to_string(spelled));
    operand.elements = *std::move(elements);
  }
  return operand;
}

void drop_empty_elements(Operand& operand) {
  if (operand.elements && operand.elements->empty()) operand.elements.reset();
}

void spell_empty_elements(Operand& operand) {
  if (!operand.elements && element_count(operand.shape) == 0) operand.elements.emplace();
}

void append_operand(std::string& text, const Operand& operand) {
  if (operand.elements && operand.shape.size() == 1) {
    text += name(operand.type);
  } else {
    append_type_and_shape(text, operand.type, operand.shape);
  }
  if (!operand.elements) return;
  char separator = '{';
  for (const std::string& element : *operand.elements) {
    text += separator;
    text += element;
    separator = ',';
  }
  text += operand.elements->empty() ? "{}" : "}";
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
