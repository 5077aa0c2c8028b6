#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// A map of a header's values by their names: few in a call, thousands in a batch.
template <class Value>
class NamedValues {
 public:
  // Adds a name; returns null if it exists already.  Invalidates the results of earlier calls.
  Value* add(std::string name) {
    if (many_.empty() && few_.size() < most_few) {
      if (find({}, name) != nullptr) return nullptr;
      return &few_.emplace_back(std::move(name), Value{}).second;
    }
    for (auto& [each, value] : few_)
      many_.try_emplace(std::move(each), std::move(value));
    few_.clear();
    const auto [at, is_new] = many_.try_emplace(std::move(name));
    return is_new ? &at->second : nullptr;
  }
  // Returns the value of the name `prefix` + `name`; null if there is none.
  const Value* find(std::string_view prefix, std::string_view name) const {
    for (const auto& [each, value] : few_)
      if (each.size() == prefix.size() + name.size() && each.starts_with(prefix) && each.ends_with(name))
        return &value;
    if (many_.empty()) return nullptr;
    const auto found = many_.find(std::string(prefix).append(name));
    return found == many_.end() ? nullptr : &found->second;
  }
  // Returns names and values, in any order.
  std::vector<std::pair<std::string_view, const Value*>> all() const {
    std::vector<std::pair<std::string_view, const Value*>> pairs;
    pairs.reserve(few_.size() + many_.size());
    for (const auto& [name, value] : few_)
      pairs.emplace_back(name, &value);
    for (const auto& [name, value] : many_)
      pairs.emplace_back(name, &value);
    return pairs;
  }

 private:
  static constexpr std::size_t most_few = 12;  // searched one after the other
  std::vector<std::pair<std::string, Value>> few_;
  std::unordered_map<std::string, Value> many_;  // all of them, once there are more
};

// The JSON header of a message, parsed.
struct MessageHeader {
  struct Entry {
    std::string dtype;
    Shape shape;
    std::size_t begin = 0, end = 0;
  };
  NamedValues<std::string> words;
  NamedValues<Entry> tensors;
};

// Reads a header strictly: every key once, words that are strings, tensors of exactly three fields.  Does not
// check whether the tensors' bytes fit together.  Errors: backend_failed, with the cure.
Result<MessageHeader> read_header(std::string_view text);

// Reads a header that is written as most are: ASCII without escapes, and valid.  Returns nothing for others.
std::optional<MessageHeader> read_plain_header(std::string_view text);

// Returns the text as JSON spells it, in ASCII.
std::string json_text(std::string_view text);

}  // namespace certile::backends
