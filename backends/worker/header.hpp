#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// The JSON header of a message, taken apart.
struct MessageHeader {
  struct Entry {
    std::string dtype;
    Shape shape;
    std::size_t begin = 0, end = 0;
  };
  std::unordered_map<std::string, std::string> words;
  std::unordered_map<std::string, Entry> tensors;
};

// Reads it strictly: every key once, words that are strings, tensors of exactly three fields.  Whether the
// tensors' bytes fit together is not looked at here.  Errors: backend_failed, with the cure.
Result<MessageHeader> read_header(std::string_view text);

// The text as JSON spells it, in ASCII.
std::string json_text(std::string_view text);

}  // namespace certile
