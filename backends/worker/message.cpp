#include "backends/worker/message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/worker/header.hpp"

namespace certile::backends {

namespace {

struct Dtype {
  std::string_view name;
  int bits;
  std::optional<ElementType> type;  // none: certile has no such type, or packs it differently
};

constexpr std::array dtypes{
    Dtype{"BOOL", 8, ElementType::boolean},   Dtype{"U8", 8, ElementType::u8},
    Dtype{"I8", 8, ElementType::i8},          Dtype{"U16", 16, ElementType::u16},
    Dtype{"I16", 16, ElementType::i16},       Dtype{"F16", 16, ElementType::f16},
    Dtype{"BF16", 16, ElementType::bf16},     Dtype{"U32", 32, ElementType::u32},
    Dtype{"I32", 32, ElementType::i32},       Dtype{"F32", 32, ElementType::f32},
    Dtype{"U64", 64, ElementType::u64},       Dtype{"I64", 64, ElementType::i64},
    Dtype{"F64", 64, ElementType::f64},       Dtype{"C64", 64, ElementType::c64},
    Dtype{"F8_E4M3", 8, ElementType::f8e4m3}, Dtype{"F8_E5M2", 8, ElementType::f8e5m2},
    Dtype{"F8_E8M0", 8, ElementType::f8e8m0}, Dtype{"F4", 4, std::nullopt},
    Dtype{"F6_E2M3", 6, std::nullopt},        Dtype{"F6_E3M2", 6, std::nullopt},
};

// Returns the name that safetensors has for a type; empty if it has none, and the type travels as U8.
std::string_view dtype_of(ElementType type) noexcept {
  for (const Dtype& each : dtypes)
    if (each.type == type) return each.name;
  return {};
}

// Returns the row of that name; null if safetensors has no such type.
const Dtype* dtype_named(std::string_view name) noexcept {
  const auto* at =
      std::find_if(dtypes.begin(), dtypes.end(), [name](const Dtype& each) { return each.name == name; });
  return at == dtypes.end() ? nullptr : at;
}

// Appends a string tensor as it travels.
void append_strings(std::vector<std::byte>& bytes, std::span<const std::byte> elements) {
  std::vector<StringElement> strings(elements.size() / sizeof(StringElement));
  std::memcpy(strings.data(), elements.data(), strings.size() * sizeof(StringElement));
  const auto append = [&bytes](const void* from, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  };
  std::uint64_t offset = 0;
  append(&offset, sizeof offset);
  for (const StringElement& each : strings) {
    offset += each.size;
    append(&offset, sizeof offset);
  }
  for (const StringElement& each : strings)
    append(each.bytes, each.size);
}

}  // namespace

Result<std::vector<StringElement>> strings_in(std::span<const std::byte> flat, std::size_t count) {
  const auto invalid = [](const std::string& what) {
    return Error{
        Error::Code::backend_failed,
        what +
            "; a string tensor is u64 offsets, one more than elements, from 0 and never falling, then "
            "as many characters as the last offset says"};
  };
  if (count >= flat.size() / sizeof(std::uint64_t))
    return invalid(std::to_string(flat.size()) + " bytes are too few for the offsets of " +
                   std::to_string(count) + " strings");
  const std::size_t offsets = (count + 1) * sizeof(std::uint64_t);
  const auto* characters = reinterpret_cast<const char*>(flat.data()) + offsets;
  const std::uint64_t size = flat.size() - offsets;
  std::vector<StringElement> strings(count);
  std::uint64_t before = 0;
  for (std::size_t index = 0; index <= count; ++index) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, flat.data() + index * sizeof offset, sizeof offset);
    if (offset < before || offset > size || (index == 0 && offset != 0))
      return invalid("offset " + std::to_string(index) + " of a string tensor is " + std::to_string(offset));
    if (index > 0) strings[index - 1] = {characters + before, offset - before};
    before = offset;
  }
  if (before != size)
    return invalid("a string tensor has " + std::to_string(size) + " characters, and its last offset is " +
                   std::to_string(before));
  return strings;
}

namespace {

Error invalid_message(std::string what) {
  return {Error::Code::backend_failed, std::move(what)};
}

template <class Number>
void append_number(std::string& text, Number number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void append_shape(std::string& text, std::span<const std::int64_t> shape) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ',';
    append_number(text, shape[axis]);
  }
}

constexpr std::size_t usual_size = 512;  // of a call's words, in bytes

}  // namespace

std::string shape_words(std::span<const std::int64_t> shape) {
  std::string words;
  append_shape(words, shape);
  return words;
}

std::optional<Shape> read_shape_words(std::string_view words) {
  Shape shape;
  if (words.empty()) return shape;
  const char* at = words.data();
  const char* const end = at + words.size();
  for (;;) {
    std::int64_t dimension = 0;
    const auto [next, problem] = std::from_chars(at, end, dimension);
    if (problem != std::errc{}) return std::nullopt;
    shape.push_back(dimension);
    if (next == end) return shape;
    if (*next != ',') return std::nullopt;
    at = next + 1;
  }
}

namespace {

// Begins a word or a tensor: its key is `name` and `suffix`.
void begin_member(std::string& members, std::string_view name, std::string_view suffix = {}) {
  if (members.empty())
    members.reserve(usual_size);
  else
    members += ',';
  members += '"';
  members += name;
  members += suffix;
  members += "\":";
}

}  // namespace

void MessageWriter::say(std::string_view key, std::string_view value) {
  begin_member(words_, key);
  words_ += json_text(value);
}

void MessageWriter::say_name(std::string_view key, std::string_view value, std::string_view suffix) {
  begin_member(words_, key, suffix);
  words_ += '"';
  words_ += value;
  words_ += '"';
}

void MessageWriter::add_shape(std::string_view name, ElementType type, std::span<const std::int64_t> shape) {
  say_name(name, certile::name(type), ".type");
  begin_member(words_, name, ".shape");
  words_ += '"';
  append_shape(words_, shape);
  words_ += '"';
}

void MessageWriter::add(std::string_view name, const TensorView& tensor) {
  add_shape(name, tensor.type, tensor.shape);
  const std::size_t begin = body_.size();
  if (tensor.type == ElementType::string)
    append_strings(body_, tensor.bytes);
  else
    body_.insert(body_.end(), tensor.bytes.begin(), tensor.bytes.end());
  const std::string_view dtype = dtype_of(tensor.type);
  begin_member(tensors_, name);
  tensors_ += "{\"dtype\":\"";
  tensors_ += dtype.empty() ? "U8" : dtype;
  tensors_ += "\",\"shape\":[";
  if (dtype.empty())
    append_number(tensors_, body_.size() - begin);
  else
    append_shape(tensors_, tensor.shape);
  tensors_ += "],\"data_offsets\":[";
  append_number(tensors_, begin);
  tensors_ += ',';
  append_number(tensors_, body_.size());
  tensors_ += "]}";
}

void MessageWriter::append_to(std::vector<std::byte>& bytes) const {
  constexpr std::string_view opening = "{\"__metadata__\":{";
  const std::uint64_t size =
      opening.size() + words_.size() + 1 + (tensors_.empty() ? 0 : 1 + tensors_.size()) + 1;
  const auto append = [&bytes](std::string_view text) {
    const auto part = std::as_bytes(std::span(text));
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  append({reinterpret_cast<const char*>(&size), sizeof size});
  append(opening);
  append(words_);
  append(tensors_.empty() ? "}" : "},");
  append(tensors_);
  append("}");
  bytes.insert(bytes.end(), body_.begin(), body_.end());
}

Result<std::size_t> Message::header_size(std::span<const std::byte> prefix) {
  if (prefix.size() < prefix_size) return invalid_message("a message begins with 8 bytes of length");
  std::uint64_t size = 0;
  std::memcpy(&size, prefix.data(), sizeof size);
  if (size >= 2 && size <= largest_header) return static_cast<std::size_t>(size);
  const std::string_view text(reinterpret_cast<const char*>(prefix.data()), prefix_size);
  const auto is_text = [](char each) {
    return (each >= ' ' && each <= '~') || each == '\n' || each == '\r' || each == '\t';
  };
  if (is_text(text.front()))
    return invalid_message(
        "the answer is not a message: it begins with " + json_text(text) +
        "; did your program print to stdout? Keep descriptor 1 for the protocol, and print to stderr");
  return invalid_message("the answer is not a message: its header would have " + std::to_string(size) +
                         " bytes; the length is 8 bytes, little-endian, and counts only the JSON");
}

Result<Message> Message::from_header(std::string_view header) {
  if (header.empty() || header.front() != '{')
    return invalid_message(
        "the answer is not a message: a header begins with '{' right after the 8 bytes of length; did your "
        "program print to stdout?");
  auto parsed = read_header(header);
  if (!parsed) return parsed.error();
  Message message;
  message.header_ = *std::move(parsed);
  if (auto checked = message.check_ranges(); !checked) return checked.error();
  return message;
}

Result<Done> Message::check_ranges() {
  std::vector<const std::pair<const std::string, MessageHeader::Entry>*> in_order;
  for (const auto& each : header_.tensors)
    in_order.push_back(&each);
  std::ranges::sort(in_order, {},
                    [](const auto* each) { return std::pair(each->second.begin, each->second.end); });
  for (const auto* each : in_order) {
    const auto& [name, entry] = *each;
    const auto tensor = [&name = name] { return "the tensor " + json_text(name); };
    if (entry.begin != body_size_)
      return invalid_message(
          tensor() + " begins at byte " + std::to_string(entry.begin) +
          " of the data, but the previous one ends at " + std::to_string(body_size_) +
          "; tensors follow each other without gaps and without sharing bytes, the first at 0");
    const Dtype* const dtype = dtype_named(entry.dtype);
    if (dtype == nullptr)
      return invalid_message(tensor() + " is of dtype " + json_text(entry.dtype) +
                             ", which safetensors does not have; send it as U8 and say " + name +
                             ".type and " + name + ".shape in __metadata__");
    const auto count = element_count(entry.shape);
    const auto wide = static_cast<std::size_t>(dtype->bits);
    const std::size_t size = entry.end - entry.begin;
    if (!count || static_cast<std::uint64_t>(*count) > SIZE_MAX / wide ||
        size != (static_cast<std::size_t>(*count) * wide + 7) / 8)
      return invalid_message(tensor() + " has " + std::to_string(size) + " bytes, which is not what " +
                             entry.dtype + "[" + shape_words(entry.shape) +
                             "] takes; data_offsets are in bytes");
    body_size_ = entry.end;
  }
  return Done{};
}

Result<Message> Message::read(std::span<const std::byte> bytes) {
  const auto size = header_size(bytes);
  if (!size) return size.error();
  const auto rest = bytes.subspan(prefix_size);
  if (!rest.empty() && rest.front() != std::byte{'{'}) return from_header("no brace");
  if (rest.size() < *size) return invalid_message("the message ends within its header");
  auto message = from_header({reinterpret_cast<const char*>(bytes.data()) + prefix_size, *size});
  if (!message) return message;
  const auto body = bytes.subspan(prefix_size + *size);
  if (body.size() != message->body_size())
    return invalid_message("the message has " + std::to_string(body.size()) +
                           " bytes of data, and its tensors take " + std::to_string(message->body_size()));
  message->take_body({body.begin(), body.end()});
  return message;
}

const std::string* Message::word(const std::string& key) const {
  const auto found = header_.words.find(key);
  return found == header_.words.end() ? nullptr : &found->second;
}

Result<Message::Received> Message::tensor(const std::string& name) const {
  const auto found = header_.tensors.find(name);
  if (found == header_.tensors.end()) return invalid_message("the tensor " + json_text(name) + " is missing");
  const MessageHeader::Entry& entry = found->second;
  const auto bytes = std::span(body_).subspan(entry.begin, entry.end - entry.begin);
  const std::string* type_word = word(name + ".type");
  const std::string* shape_word = word(name + ".shape");
  const auto type = type_word != nullptr ? element_type_named(*type_word) : dtype_named(entry.dtype)->type;
  if (!type && type_word == nullptr && shape_word == nullptr)
    return invalid_message(json_text(name) + " is of dtype " + entry.dtype +
                           ", which is not a type of certile; say " + name + ".type and " + name +
                           ".shape, and send it as U8");
  if (!type)
    return invalid_message(name + ".type is " + json_text(type_word != nullptr ? *type_word : entry.dtype) +
                           ", which is not a type of certile");
  const auto shape = shape_word != nullptr ? read_shape_words(*shape_word) : std::optional(entry.shape);
  const auto count = shape ? element_count(*shape) : std::nullopt;
  if (!count)
    return invalid_message(name + ".shape is " + json_text(shape_word != nullptr ? *shape_word : "") +
                           ", which is not a shape; write it as 4,6");
  if (*type == ElementType::string) {
    if (auto strings = strings_in(bytes, static_cast<std::size_t>(*count)); !strings) return strings.error();
  } else if (byte_size(*type, *count) != bytes.size()) {
    return invalid_message(json_text(name) + " has " + std::to_string(bytes.size()) +
                           " bytes, which is not what " + std::string(certile::name(*type)) + "[" +
                           shape_words(*shape) + "] takes");
  }
  return Received{*type, *shape, bytes};
}

}  // namespace certile::backends
