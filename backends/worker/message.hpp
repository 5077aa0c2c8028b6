#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/worker/header.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// Returns views of the elements of a string tensor as it travels, as many as `count`: u64 offsets, one more
// than elements, then the characters.  Errors: backend_failed.
Result<std::vector<StringElement>> strings_in(std::span<const std::byte> flat, std::size_t count);

// A message of the worker protocol is one safetensors buffer: 8 bytes of length, a JSON header, the tensors'
// bytes.  protocol.md in this folder is its specification; the captured messages there are the tests'
// vectors.

// The bytes of the length before a header.
inline constexpr std::size_t prefix_size = 8;
// The largest header, in bytes: a longer one is refused.
inline constexpr std::uint64_t largest_header = std::uint64_t{16} << 20;

// A writer of one message.  Keys and names are used once each, and need no escapes.
class MessageWriter {
 public:
  // Adds a word of the dialogue, which is in `__metadata__` of the header.
  void say(std::string_view key, std::string_view value);
  // Adds a word whose value needs no escapes.  `suffix`: the end of the key.
  void say_name(std::string_view key, std::string_view value, std::string_view suffix = {});
  // Adds the words NAME.type and NAME.shape of a tensor.
  void add_shape(std::string_view name, ElementType type, std::span<const std::int64_t> shape);
  // Adds the tensor's words and its bytes; types that the format lacks are sent as U8.
  void add(std::string_view name, const TensorView& tensor);

  // Appends the whole message.
  void append_to(std::vector<std::byte>& bytes) const;
  std::size_t body_size() const noexcept { return body_.size(); }

  // Says how many bytes of tensors a right answer may have.
  void allow_answer(std::size_t bytes) noexcept { answered_ = bytes; }
  std::size_t answered() const noexcept { return answered_; }

 private:
  std::string words_, tensors_;  // JSON, without the outer braces
  std::vector<std::byte> body_;
  std::size_t answered_ = 0;
};

// Returns "4,6", as words spell shapes; rank 0 is empty.
std::string shape_words(std::span<const std::int64_t> shape);
// Returns nothing if the text is not a shape.  Negative dimensions are read, because the judge reports them.
std::optional<Shape> read_shape_words(std::string_view words);

// A message that was received.  An invalid one is an Error, backend_failed, whose sentence gives the fault
// and the cure.
class Message {
 public:
  // Returns the header's length, from the first 8 bytes.
  static Result<std::size_t> header_size(std::span<const std::byte> prefix);
  // Returns the message without its body, from the header's JSON.
  static Result<Message> from_header(std::string_view header);
  // Returns a whole message, as a file holds it.
  static Result<Message> read(std::span<const std::byte> bytes);

  // Returns the number of bytes after the header.
  std::size_t body_size() const noexcept { return body_size_; }
  void take_body(std::vector<std::byte> body) { body_ = std::move(body); }

  // Returns the word of that key; null if the message does not have it.
  const std::string* word(const std::string& key) const;

  // A tensor with its own type and shape, also if it was sent as U8.  The bytes are those that were sent, of
  // a string tensor u64 offsets and characters; their number is that of the type and shape.
  struct Received {
    ElementType type;
    Shape shape;
    std::span<const std::byte> bytes;  // bytes in this message
  };
  bool has_tensor(const std::string& name) const { return header_.tensors.contains(name); }
  Result<Received> tensor(const std::string& name) const;

 private:
  Result<Done> check_ranges();

  MessageHeader header_;
  std::size_t body_size_ = 0;
  std::vector<std::byte> body_;
};

}  // namespace certile::backends
