#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// The JSON header of a message, parsed.
struct MessageHeader {
  struct Entry {
    std::string dtype;
    Shape shape;
    std::size_t begin = 0, end = 0;
  };
  std::unordered_map<std::string, std::string> words;
  std::unordered_map<std::string, Entry> tensors;
};

// Reads a header strictly: every key once, words that are strings, tensors of exactly three fields.  Does not
// check whether the tensors' bytes fit together.  Errors: backend_failed, with the cure.
Result<MessageHeader> read_header(std::string_view text);

// Returns the text as JSON spells it, in ASCII.
std::string json_text(std::string_view text);

}  // namespace certile::backends
