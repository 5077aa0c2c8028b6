#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "backends/worker/header.hpp"

// A library's parser takes microseconds for an answer, several times as long as the rest of a small case.  So
// usual headers are read here, and all others by the library, which reports what is wrong.

namespace certile::backends {
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
