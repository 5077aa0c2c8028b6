#include "backends/worker/message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "backends/worker/wire_types.hpp"

namespace certile {
namespace {

using Json = nlohmann::json;
constexpr std::size_t prefix_size = 8;

Error invalid(std::string what) {
  return {Error::Code::backend_failed, std::move(what)};
}

std::string json_text(std::string_view text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string offsets_words(std::size_t begin, std::size_t end) {
  return std::to_string(begin) + "," + std::to_string(end);
}

// A DOM of the header, in which no key occurs twice and nothing is nested deeper than a tensor's lists.
Result<Json> parsed_header(std::string_view header) {
  constexpr int deepest = 3;
  std::vector<std::set<std::string>> open;
  std::optional<std::string> twice;
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    too_deep = too_deep || depth > deepest;
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return !too_deep;
  };
  Json parsed = Json::parse(header, watch, false);
  if (too_deep)
    return invalid("the header is nested too deeply; it holds __metadata__ and one object for each tensor");
  if (twice)
    return invalid("the header has the key " + json_text(*twice) +
                   " twice; give each tensor a name of its own");
  if (parsed.is_discarded() || !parsed.is_object())
    return invalid(
        "the header is no JSON object; write 8 bytes of length, little-endian, then exactly so many bytes "
        "of JSON, and flush");
  return parsed;
}

Result<std::vector<std::uint64_t>> naturals(const Json& list, const std::string& where) {
  std::vector<std::uint64_t> numbers;
  const auto is_natural = [](const Json& each) { return each.is_number_unsigned(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_natural))
    return invalid(where + " has to be a list of whole numbers, 0 or more");
  for (const Json& each : list)
    numbers.push_back(each.get<std::uint64_t>());
  return numbers;
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
  header += "}";
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
  const auto parsed = parsed_header(header);
  if (!parsed) return parsed.error();
  Message message;
  for (const auto& [name, value] : parsed->items()) {
    if (name == "__metadata__") {
      if (!value.is_object()) return invalid("__metadata__ has to be an object of strings");
      for (const auto& [key, word] : value.items()) {
        if (!word.is_string())
          return invalid("__metadata__ has " + json_text(key) +
                         " with a value that is no string; safetensors allows "
                         "strings alone: write numbers as \"7\" and lists as \"4,6\"");
        message.words_.emplace(key, word.get<std::string>());
      }
      continue;
    }
    const std::string tensor = "the tensor " + json_text(name);
    if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") ||
        !value.contains("data_offsets") || !value["dtype"].is_string())
      return invalid(tensor + " needs exactly dtype, shape and data_offsets");
    Entry entry;
    entry.dtype = value["dtype"].get<std::string>();
    auto shape = naturals(value["shape"], tensor + ": shape");
    if (!shape) return shape.error();
    auto range = naturals(value["data_offsets"], tensor + ": data_offsets");
    if (!range) return range.error();
    if (range->size() != 2 || (*range)[0] > (*range)[1])
      return invalid(tensor + ": data_offsets are where its bytes begin and where they end");
    for (const std::uint64_t dimension : *shape)
      entry.shape.push_back(static_cast<std::int64_t>(dimension));
    entry.begin = static_cast<std::size_t>((*range)[0]);
    entry.end = static_cast<std::size_t>((*range)[1]);
    message.tensors_.emplace(name, std::move(entry));
  }
  if (auto checked = message.check_ranges(); !checked) return checked.error();
  return message;
}

Result<Done> Message::check_ranges() {
  std::vector<std::pair<const std::string*, const Entry*>> in_order;
  for (const auto& [name, entry] : tensors_)
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
  const auto found = words_.find(key);
  return found == words_.end() ? nullptr : &found->second;
}

Result<Message::Received> Message::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) return invalid("the tensor " + json_text(name) + " is missing");
  const Entry& entry = found->second;
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
