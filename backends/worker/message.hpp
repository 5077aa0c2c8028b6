#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/worker/header.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// A message of the worker protocol is one safetensors buffer: 8 bytes of
// length, a JSON header, the tensors' bytes.  protocol.md beside this file is
// its specification; its captured messages are the tests' vectors.

// Bytes of header that are read at most: a longer one is no message.
inline constexpr std::uint64_t largest_header = std::uint64_t{64} << 20;

// Makes one message.  Keys and names are used once each, and need no escapes.
class MessageWriter {
 public:
  // What keys and names begin with from here on: nothing at first, "3." for a
  // call of a batch.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  // A word of the dialogue: `__metadata__` in the header.
  void say(std::string_view key, std::string_view value);
  // The same of a value that needs no escapes.  `suffix`: the end of the key.
  void say_name(std::string_view key, std::string_view value, std::string_view suffix = {});
  // A tensor; types that the format lacks travel as U8, and NAME.type and
  // NAME.shape say what they are.
  void add(std::string_view name, const TensorView& tensor);
  // A tensor's parts: the two words, which may be said of any type, and what
  // travels.
  void add_shape(std::string_view name, ElementType type, std::span<const std::int64_t> shape);
  void add_bytes(std::string_view name, const TensorView& tensor);

  // Appends the whole message.
  void append_to(std::vector<std::byte>& bytes) const;
  std::vector<std::byte> finish() const;
  std::size_t body_size() const noexcept { return body_.size(); }

 private:
  // Begins a word or a tensor: its key is the prefix, `name` and `suffix`.
  void begin_member(std::string& members, std::string_view name, std::string_view suffix = {}) const;

  std::string prefix_;
  std::string words_, tensors_;  // JSON, without the braces around
  std::vector<std::byte> body_;
};

// "4,6", as shapes are spelled in words; rank 0 is empty.
std::string shape_words(std::span<const std::int64_t> shape);
// Nothing when the text is no shape.  Negative dimensions are read: they are
// for the judge to see.
std::optional<Shape> read_shape_words(std::string_view words);

// A message that was received.  Whatever is wrong with it is an Error,
// backend_failed, whose sentence says what and the cure.
class Message {
 public:
  // The header's length, from the first 8 bytes.
  static Result<std::size_t> header_size(std::span<const std::byte> prefix);
  // The message without its body, from the header's JSON.
  static Result<Message> from_header(std::string_view header);
  // A whole one, as a file holds it.
  static Result<Message> read(std::span<const std::byte> bytes);

  // Bytes that follow the header.
  std::size_t body_size() const noexcept { return body_size_; }
  void take_body(std::vector<std::byte> body) { body_ = std::move(body); }

  // The word of the key that both make together.  Null when the message does
  // not say it.
  const std::string* word(std::string_view prefix, std::string_view key) const;
  const std::string* word(std::string_view key) const { return word({}, key); }

  // A tensor as it is meant: its own type and shape, also where it travelled as
  // U8.  The bytes are those that travelled, of a string tensor u64 offsets and
  // characters; as many as type and shape ask for.
  struct Received {
    ElementType type;
    Shape shape;
    std::span<const std::byte> bytes;  // of this message
  };
  bool has_tensor(std::string_view name) const { return header_.tensors.find({}, name) != nullptr; }
  Result<Received> tensor(std::string_view prefix, std::string_view name) const;
  Result<Received> tensor(std::string_view name) const { return tensor({}, name); }

 private:
  Result<Done> check_ranges();

  MessageHeader header_;
  std::size_t body_size_ = 0;
  std::vector<std::byte> body_;
};

}  // namespace certile
