#include "backends/worker/message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/worker/header.hpp"
#include "backends/worker/wire_types.hpp"

namespace certile::backends {
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

void MessageWriter::begin_member(std::string& members, std::string_view name, std::string_view suffix) const {
  if (members.empty())
    members.reserve(usual_size);
  else
    members += ',';
  members += '"';
  members += prefix_;
  members += name;
  members += suffix;
  members += "\":";
}

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
  if (dtype_of(tensor.type).empty()) add_shape(name, tensor.type, tensor.shape);
  add_bytes(name, tensor);
}

void MessageWriter::add_bytes(std::string_view name, const TensorView& tensor) {
  const std::size_t begin = body_.size();
  if (tensor.type == ElementType::string) {
    const std::vector<std::byte> flat = flat_strings(tensor.bytes);
    body_.insert(body_.end(), flat.begin(), flat.end());
  } else {
    body_.insert(body_.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
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

std::vector<std::byte> MessageWriter::finish() const {
  std::vector<std::byte> bytes;
  append_to(bytes);
  return bytes;
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
  auto in_order = header_.tensors.all();
  std::sort(in_order.begin(), in_order.end(), [](const auto& left, const auto& right) {
    return std::pair(left.second->begin, left.second->end) <
           std::pair(right.second->begin, right.second->end);
  });
  for (const auto& [name, entry] : in_order) {
    const auto tensor = [&name = name] { return "the tensor " + json_text(name); };
    if (entry->begin != body_size_)
      return invalid_message(
          tensor() + " begins at byte " + std::to_string(entry->begin) +
          " of the data, but the previous one ends at " + std::to_string(body_size_) +
          "; tensors follow each other without gaps and without sharing bytes, the first at 0");
    const int width = bits_of_dtype(entry->dtype);
    if (width == 0)
      return invalid_message(tensor() + " is of dtype " + json_text(entry->dtype) +
                             ", which safetensors does not have; send it as U8 and say " + std::string(name) +
                             ".type and " + std::string(name) + ".shape in __metadata__");
    const auto count = element_count(entry->shape);
    const auto wide = static_cast<std::size_t>(width);
    const std::size_t size = entry->end - entry->begin;
    if (!count || static_cast<std::uint64_t>(*count) > SIZE_MAX / wide ||
        size != (static_cast<std::size_t>(*count) * wide + 7) / 8)
      return invalid_message(tensor() + " has " + std::to_string(size) + " bytes, which is not what " +
                             entry->dtype + "[" + shape_words(entry->shape) +
                             "] takes; data_offsets are in bytes");
    body_size_ = entry->end;
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

const std::string* Message::word(std::string_view prefix, std::string_view key) const {
  return header_.words.find(prefix, key);
}

Result<Message::Received> Message::tensor(std::string_view prefix, std::string_view key) const {
  const MessageHeader::Entry* found = header_.tensors.find(prefix, key);
  if (found == nullptr)
    return invalid_message("the tensor " + json_text(std::string(prefix).append(key)) + " is missing");
  const MessageHeader::Entry& entry = *found;
  const auto bytes = std::span(body_).subspan(entry.begin, entry.end - entry.begin);
  const std::string name = std::string(prefix).append(key);
  const std::string* type_word = word(name, ".type");
  const std::string* shape_word = word(name, ".shape");
  if (type_word == nullptr && shape_word == nullptr) {
    const auto type = type_of_dtype(entry.dtype);
    if (!type)
      return invalid_message(json_text(name) + " is of dtype " + entry.dtype +
                             ", which is not a type of certile; say " + name + ".type and " + name +
                             ".shape, and send it as U8");
    return Received{*type, entry.shape, bytes};
  }
  const auto type = type_word != nullptr ? element_type_named(*type_word) : type_of_dtype(entry.dtype);
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
