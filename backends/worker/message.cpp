#include "backends/worker/message.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/worker/header.hpp"
#include "backends/worker/wire_types.hpp"

namespace certile {
namespace {

constexpr std::size_t prefix_size = 8;

Error invalid(std::string what) {
  return {Error::Code::backend_failed, std::move(what)};
}

std::string offsets_words(std::size_t begin, std::size_t end) {
  return std::to_string(begin) + "," + std::to_string(end);
}

}  // namespace

std::string shape_words(std::span<const std::int64_t> shape) {
  std::string words;
  for (const std::int64_t dimension : shape) {
    if (!words.empty()) words += ',';
    words += std::to_string(dimension);
  }
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

void MessageWriter::say(std::string_view key, std::string_view value) {
  if (!words_.empty()) words_ += ',';
  words_ += json_text(key);
  words_ += ':';
  words_ += json_text(value);
}

void MessageWriter::add_shape(std::string_view name, ElementType type, std::span<const std::int64_t> shape) {
  say(std::string(name) + ".type", certile::name(type));
  say(std::string(name) + ".shape", shape_words(shape));
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
  std::string_view dtype = dtype_of(tensor.type);
  std::string shape = shape_words(tensor.shape);
  if (dtype.empty()) {
    dtype = "U8";
    shape = std::to_string(body_.size() - begin);
  }
  if (!tensors_.empty()) tensors_ += ',';
  tensors_ += json_text(name) + ":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[" + shape +
              "],\"data_offsets\":[" + offsets_words(begin, body_.size()) + "]}";
}

std::vector<std::byte> MessageWriter::finish() const {
  std::string header = "{\"__metadata__\":{" + words_ + "}";
  if (!tensors_.empty()) header += "," + tensors_;
  header += '}';
  std::vector<std::byte> bytes(prefix_size + header.size());
  const std::uint64_t size = header.size();
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + prefix_size, header.data(), header.size());
  bytes.insert(bytes.end(), body_.begin(), body_.end());
  return bytes;
}

Result<std::size_t> Message::header_size(std::span<const std::byte> prefix) {
  if (prefix.size() < prefix_size) return invalid("a message begins with 8 bytes of length");
  std::uint64_t size = 0;
  std::memcpy(&size, prefix.data(), sizeof size);
  if (size >= 2 && size <= largest_header) return static_cast<std::size_t>(size);
  const std::string_view text(reinterpret_cast<const char*>(prefix.data()), prefix_size);
  const auto is_text = [](char each) {
    return (each >= ' ' && each <= '~') || each == '\n' || each == '\r' || each == '\t';
  };
  if (is_text(text.front()))
    return invalid(
        "what came is no message: it begins with " + json_text(text) +
        "; did your program print to stdout? Keep descriptor 1 for the protocol, and let prints go to "
        "stderr");
  return invalid("what came is no message: its header would have " + std::to_string(size) +
                 " bytes; the length is 8 bytes, little-endian, and counts the JSON alone");
}

Result<Message> Message::from_header(std::string_view header) {
  if (header.empty() || header.front() != '{')
    return invalid(
        "what came is no message: a header begins with '{' right behind the 8 bytes of length; did your "
        "program print to stdout?");
  auto parsed = read_header(header);
  if (!parsed) return parsed.error();
  Message message;
  message.header_ = *std::move(parsed);
  if (auto checked = message.check_ranges(); !checked) return checked.error();
  return message;
}

Result<Done> Message::check_ranges() {
  std::vector<std::pair<const std::string*, const MessageHeader::Entry*>> in_order;
  for (const auto& [name, entry] : header_.tensors)
    in_order.emplace_back(&name, &entry);
  std::sort(in_order.begin(), in_order.end(), [](const auto& left, const auto& right) {
    return std::pair(left.second->begin, left.second->end) <
           std::pair(right.second->begin, right.second->end);
  });
  for (const auto& [name, entry] : in_order) {
    const std::string tensor = "the tensor " + json_text(*name);
    if (entry->begin != body_size_)
      return invalid(tensor + " begins at byte " + std::to_string(entry->begin) +
                     " of the data, and the one before it "
                     "ends at " +
                     std::to_string(body_size_) +
                     "; tensors lie one behind the other, without gaps and "
                     "without sharing bytes, the first at 0");
    const int width = bits_of_dtype(entry->dtype);
    if (width == 0)
      return invalid(tensor + " is of dtype " + json_text(entry->dtype) +
                     ", which safetensors does not have; send it as U8 and say " + *name + ".type and " +
                     *name + ".shape in __metadata__");
    const auto count = element_count(entry->shape);
    const auto wide = static_cast<std::size_t>(width);
    const std::size_t size = entry->end - entry->begin;
    if (!count || static_cast<std::uint64_t>(*count) > SIZE_MAX / wide ||
        size != (static_cast<std::size_t>(*count) * wide + 7) / 8)
      return invalid(tensor + " has " + std::to_string(size) + " bytes, which is not what " + entry->dtype +
                     "[" + shape_words(entry->shape) + "] takes; data_offsets are in bytes");
    body_size_ = entry->end;
  }
  return Done{};
}

Result<Message> Message::read(std::span<const std::byte> bytes) {
  const auto size = header_size(bytes);
  if (!size) return size.error();
  const auto rest = bytes.subspan(prefix_size);
  if (!rest.empty() && rest.front() != std::byte{'{'}) return from_header("no brace");
  if (rest.size() < *size) return invalid("the message ends within its header");
  auto message = from_header({reinterpret_cast<const char*>(bytes.data()) + prefix_size, *size});
  if (!message) return message;
  const auto body = bytes.subspan(prefix_size + *size);
  if (body.size() != message->body_size())
    return invalid("the message has " + std::to_string(body.size()) +
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
  if (found == header_.tensors.end()) return invalid("the tensor " + json_text(name) + " is missing");
  const MessageHeader::Entry& entry = found->second;
  const auto bytes = std::span(body_).subspan(entry.begin, entry.end - entry.begin);
  const std::string* type_word = word(name + ".type");
  const std::string* shape_word = word(name + ".shape");
  if (type_word == nullptr && shape_word == nullptr) {
    const auto type = type_of_dtype(entry.dtype);
    if (!type)
      return invalid(json_text(name) + " is of dtype " + entry.dtype +
                     ", of which certile has no type; say " + name + ".type and " + name +
                     ".shape, and send it as U8");
    return Received{*type, entry.shape, bytes};
  }
  const auto type = type_word != nullptr ? element_type_named(*type_word) : type_of_dtype(entry.dtype);
  if (!type)
    return invalid(name + ".type is " + json_text(type_word != nullptr ? *type_word : entry.dtype) +
                   ", which is no type of certile");
  const auto shape = shape_word != nullptr ? read_shape_words(*shape_word) : std::optional(entry.shape);
  const auto count = shape ? element_count(*shape) : std::nullopt;
  if (!count)
    return invalid(name + ".shape is " + json_text(shape_word != nullptr ? *shape_word : "") +
                   ", which is no shape; write it as 4,6");
  if (*type == ElementType::string) {
    if (auto strings = strings_in(bytes, static_cast<std::size_t>(*count)); !strings) return strings.error();
  } else if (byte_size(*type, *count) != bytes.size()) {
    return invalid(json_text(name) + " has " + std::to_string(bytes.size()) + " bytes, which is not what " +
                   std::string(certile::name(*type)) + "[" + shape_words(*shape) + "] takes");
  }
  return Received{*type, *shape, bytes};
}

}  // namespace certile
