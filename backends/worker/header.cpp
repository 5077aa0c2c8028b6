#include "backends/worker/header.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace certile::backends {

namespace {

using Json = nlohmann::json;

// A reader of the header's tokens without a tree, because a batch has thousands.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  MessageHeader take() { return std::move(header_); }
  const std::string& wrong() const { return wrong_; }

  bool start_object(std::size_t) override {
    if (in_list_) return refuse_list();
    if (depth_ == 0) return ++depth_ > 0;
    if (depth_ > 1) return depth_ > 2 || in_words_ ? refuse_depth() : refuse_fields();
    ++depth_;
    in_words_ = key_ == "__metadata__";
    if (in_words_ && std::exchange(had_words_, true)) return refuse_twice(key_);
    if (in_words_) return true;
    tensor_ = key_;
    seen_ = {};
    entry_ = header_.tensors.add(tensor_);
    return entry_ != nullptr || refuse_twice(tensor_);
  }

  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }

  bool end_object() override {
    --depth_;
    if (depth_ != 1 || in_words_) {
      in_words_ = false;
      return true;
    }
    return (seen_.dtype && seen_.shape && seen_.offsets) || refuse_fields();
  }

  bool string(string_t& value) override {
    if (in_list_) return refuse_list();
    if (in_words_) {
      std::string* word = header_.words.add(key_);
      if (word != nullptr) *word = std::move(value);
      return word != nullptr || refuse_twice(key_);
    }
    if (depth_ != 2 || key_ != "dtype" || std::exchange(seen_.dtype, true)) return refuse_value();
    entry_->dtype = std::move(value);
    return true;
  }

  bool start_array(std::size_t) override {
    if (in_list_) return refuse_depth();
    if (in_words_ || depth_ != 2) return refuse_value();
    const bool is_shape = key_ == "shape";
    if (!is_shape && key_ != "data_offsets") return refuse_fields();
    if (std::exchange(is_shape ? seen_.shape : seen_.offsets, true)) return refuse_twice(key_);
    in_list_ = true;
    numbers_.clear();
    return true;
  }

  bool end_array() override {
    in_list_ = false;
    if (key_ == "shape") {
      for (const std::uint64_t dimension : numbers_)
        entry_->shape.push_back(static_cast<std::int64_t>(dimension));
      return true;
    }
    if (numbers_.size() != 2 || numbers_[0] > numbers_[1])
      return refuse("the tensor " + json_text(tensor_) +
                    ": data_offsets are where its bytes begin and where they end");
    entry_->begin = static_cast<std::size_t>(numbers_[0]);
    entry_->end = static_cast<std::size_t>(numbers_[1]);
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (!in_list_) return refuse_value();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return refuse_list();
    numbers_.push_back(value);
    return true;
  }

  bool null() override { return refuse_value(); }
  bool boolean(bool) override { return refuse_value(); }
  bool number_integer(number_integer_t) override { return refuse_value(); }
  bool number_float(number_float_t, const string_t&) override { return refuse_value(); }
  bool binary(binary_t&) override { return refuse_value(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return refuse(
        "the header is not a JSON object; write 8 bytes of length, little-endian, then a JSON text of that "
        "length, and flush");
  }

 private:
  bool refuse(std::string why) {
    wrong_ = std::move(why);
    return false;
  }
  bool refuse_depth() {
    return refuse("the header is nested too deeply; it has __metadata__ and one object for each tensor");
  }
  bool refuse_twice(const std::string& name) {
    return refuse("the header has the key " + json_text(name) + " twice; give each tensor a different name");
  }
  bool refuse_fields() {
    return refuse("the tensor " + json_text(tensor_) + " needs exactly dtype, shape and data_offsets");
  }
  bool refuse_list() {
    return refuse("the tensor " + json_text(tensor_) + ": " + key_ +
                  " has to be a list of whole numbers, 0 or more");
  }
  // Refuses a value of the wrong kind.
  bool refuse_value() {
    if (in_list_) return refuse_list();
    if (in_words_)
      return refuse("__metadata__ has " + json_text(key_) +
                    " with a value that is not a string; safetensors allows only strings: write numbers as "
                    "\"7\" and lists as \"4,6\"");
    if (depth_ == 0) return refuse("the header is not a JSON object");
    if (depth_ == 1) tensor_ = key_;
    if (key_ == "__metadata__") return refuse("__metadata__ has to be an object of strings");
    return refuse_fields();
  }

  MessageHeader header_;
  std::string wrong_, key_, tensor_;
  MessageHeader::Entry* entry_ = nullptr;
  struct Seen {
    bool dtype = false, shape = false, offsets = false;
  } seen_;
  int depth_ = 0;
  bool in_words_ = false, had_words_ = false, in_list_ = false;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

std::string json_text(std::string_view text) {
  const auto is_plain = [](char each) { return each >= ' ' && each <= '~' && each != '"' && each != '\\'; };
  if (!std::all_of(text.begin(), text.end(), is_plain))
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string spelled;
  spelled.reserve(text.size() + 2);
  spelled += '"';
  spelled += text;
  spelled += '"';
  return spelled;
}

Result<MessageHeader> read_header(std::string_view text) {
  if (auto plain = read_plain_header(text)) return *std::move(plain);
  HeaderReader reader;
  if (!Json::sax_parse(text, &reader)) return Error{Error::Code::backend_failed, reader.wrong()};
  return reader.take();
}

// A library's parser takes microseconds for an answer, several times as long as the rest of a small case.  So
// usual headers are read here, and all others by the library, which reports what is wrong.

namespace {

class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : rest_(text) {}

  bool read(MessageHeader& header) {
    bool has_words = false;
    const bool is_read = object([&](std::string_view name) {
      if (name != "__metadata__") return tensor(header.tensors.add(std::string(name)));
      return !std::exchange(has_words, true) && object([&](std::string_view word) {
        std::string* value = header.words.add(std::string(word));
        return value != nullptr && text(*value);
      });
    });
    skip_spaces();
    return is_read && rest_.empty();
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() &&
           (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\r' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }

  bool take(char expected) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool text(std::string_view& content) {
    if (!take('"')) return false;
    const auto* end = std::find_if(rest_.begin(), rest_.end(), [](char each) {
      return each < ' ' || each > '~' || each == '"' || each == '\\';
    });
    if (end == rest_.end() || *end != '"') return false;
    content = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(content.size() + 1);
    return true;
  }

  bool text(std::string& content) {
    std::string_view found;
    if (!text(found)) return false;
    content = found;
    return true;
  }

  // Reads members, each with `value` after its name.
  template <class ReadValue>
  bool object(ReadValue value) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string_view name;
      if (!text(name) || !take(':') || !value(name)) return false;
    } while (take(','));
    return take('}');
  }

  template <class AddNumber>
  bool numbers(AddNumber add) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      skip_spaces();
      std::uint64_t number = 0;
      const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      const auto length = static_cast<std::size_t>(end - rest_.data());
      constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
      if (problem != std::errc{} || number > largest || (rest_.front() == '0' && length > 1)) return false;
      rest_.remove_prefix(length);
      add(number);
    } while (take(','));
    return take(']');
  }

  bool tensor(MessageHeader::Entry* entry) {
    if (entry == nullptr) return false;
    int types = 0, shapes = 0, offsets = 0, ends = 0;
    const auto add_end = [&](std::uint64_t number) {
      (ends++ == 0 ? entry->begin : entry->end) = static_cast<std::size_t>(number);
    };
    const auto add_dimension = [&](std::uint64_t number) {
      entry->shape.push_back(static_cast<std::int64_t>(number));
    };
    const bool is_read = object([&](std::string_view field) {
      if (field == "dtype") return ++types == 1 && text(entry->dtype);
      if (field == "shape") return ++shapes == 1 && numbers(add_dimension);
      return field == "data_offsets" && ++offsets == 1 && numbers(add_end);
    });
    return is_read && types == 1 && shapes == 1 && ends == 2 && entry->begin <= entry->end;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<MessageHeader> read_plain_header(std::string_view text) {
  std::optional<MessageHeader> header(std::in_place);
  if (!PlainReader(text).read(*header)) header.reset();
  return header;
}

}  // namespace certile::backends
