#include "backends/worker/header.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace certile::backends {

namespace {

using Json = nlohmann::json;

// A reader of a header, which says what is wrong with it.  A library's parser takes microseconds for an
// answer, several times as long as the rest of a small case.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  Result<MessageHeader> read() {
    MessageHeader header;
    bool has_words = false;
    const bool is_read = members([&](std::string name) {
      if (name != "__metadata__") return tensor(header.tensors.try_emplace(std::move(name)));
      return std::exchange(has_words, true) ? refuse_twice(name) : words(header.words);
    });
    if (is_read && next() == '\0' && rest_.empty()) return header;
    if (wrong_.empty())
      wrong_ =
          "the header is not a JSON object; write 8 bytes of length, little-endian, then a JSON text of that "
          "length, and flush";
    return Error{Error::Code::backend_failed, std::move(wrong_)};
  }

 private:
  // Returns the first character that is no space; 0 at the end.
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\r\t"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char expected) {
    if (rest_.empty() || next() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool refuse(std::string why) {
    wrong_ = std::move(why);
    return false;
  }
  // Refuses a value of the wrong kind; where there is no value at all, the header is no JSON.
  bool refuse_value(std::string why) {
    constexpr std::string_view first = "{[\"-0123456789tfn";
    return first.find(next()) != first.npos && refuse(std::move(why));
  }
  bool refuse_twice(const std::string& name) {
    return refuse("the header has the key " + json_text(name) + " twice; give each tensor a different name");
  }
  bool refuse_depth() {
    return refuse("the header is nested too deeply; it has __metadata__ and one object for each tensor");
  }

  // Reads members, each with `value` after its name.
  template <class ReadValue>
  bool members(ReadValue value) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string name;
      if (!text(name) || !take(':') || !value(std::move(name))) return false;
    } while (take(','));
    return take('}');
  }

  // Reads a string, and passes one with escapes or other characters than ASCII to the JSON library.
  bool text(std::string& content) {
    if (!take('"')) return false;
    bool is_plain = true;
    std::size_t end = 0;
    for (; end < rest_.size() && rest_[end] != '"'; ++end) {
      is_plain = is_plain && rest_[end] >= ' ' && rest_[end] <= '~' && rest_[end] != '\\';
      if (rest_[end] == '\\') ++end;
    }
    if (end >= rest_.size()) return false;
    content = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (is_plain) return true;
    const Json value = Json::parse('"' + content + '"', nullptr, false);
    if (value.is_string()) content = value.get<std::string>();
    return value.is_string();
  }

  bool words(std::unordered_map<std::string, std::string>& words) {
    if (next() != '{') return refuse_value("__metadata__ has to be an object of strings");
    return members([&](std::string name) {
      if (next() == '{') return refuse_depth();
      if (next() != '"')
        return refuse_value("__metadata__ has " + json_text(name) +
                            " with a value that is not a string; safetensors allows only strings: write "
                            "numbers as \"7\" and lists as \"4,6\"");
      const auto [word, is_new] = words.try_emplace(std::move(name));
      return is_new ? text(word->second) : refuse_twice(word->first);
    });
  }

  template <class Added>
  bool tensor(const Added& added) {
    const auto& [at, is_new] = added;
    auto& [name, entry] = *at;
    if (!is_new) return refuse_twice(name);
    const auto fields = [&name = name] {
      return of_tensor(name) + " needs exactly dtype, shape and data_offsets";
    };
    if (next() != '{') return refuse_value(fields());
    bool has_type = false, has_shape = false, has_offsets = false;
    Shape offsets;
    const bool is_read = members([&, &name = name, &entry = entry](const std::string& field) {
      const char first = next();
      if (field == "dtype" && first == '"' && !std::exchange(has_type, true)) return text(entry.dtype);
      if (field == "shape" && first == '[' && !std::exchange(has_shape, true))
        return numbers(name, field, entry.shape);
      if (field == "data_offsets" && first == '[' && !std::exchange(has_offsets, true))
        return numbers(name, field, offsets);
      return refuse_value(fields());
    });
    if (!is_read) return false;
    if (!has_type || !has_shape || !has_offsets) return refuse(fields());
    if (offsets.size() != 2 || offsets[0] > offsets[1])
      return refuse(of_tensor(name) + ": data_offsets are where its bytes begin and where they end");
    entry.begin = static_cast<std::size_t>(offsets[0]);
    entry.end = static_cast<std::size_t>(offsets[1]);
    return true;
  }

  bool numbers(const std::string& tensor, const std::string& field, Shape& numbers) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (next() == '[') return refuse_depth();
      std::int64_t number = 0;
      const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      const auto length = static_cast<std::size_t>(end - rest_.data());
      const bool has_fraction = length < rest_.size() && (*end == '.' || *end == 'e' || *end == 'E');
      if (problem != std::errc{} || rest_.front() == '-' || has_fraction ||
          (rest_.front() == '0' && length > 1))
        return refuse_value(of_tensor(tensor) + ": " + field +
                            " has to be a list of whole numbers, 0 or more");
      rest_.remove_prefix(length);
      numbers.push_back(number);
    } while (take(','));
    return take(']');
  }

  static std::string of_tensor(const std::string& name) { return "the tensor " + json_text(name); }

  std::string_view rest_;
  std::string wrong_;
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
  return HeaderReader(text).read();
}

}  // namespace certile::backends
