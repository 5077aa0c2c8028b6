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

namespace certile {

// The values of a header by their names: few of a call, thousands of a batch.
template <class Value>
class NamedValues {
 public:
  // Adds a name; null where it is there already.  What an earlier `add`
  // returned is no longer valid.
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
  // Returns the value of the name that `prefix` and `name` make together; null
  // where there is none.
  const Value* find(std::string_view prefix, std::string_view name) const {
    for (const auto& [each, value] : few_)
      if (each.size() == prefix.size() + name.size() && each.starts_with(prefix) && each.ends_with(name))
        return &value;
    if (many_.empty()) return nullptr;
    const auto found = many_.find(std::string(prefix).append(name));
    return found == many_.end() ? nullptr : &found->second;
  }
  // Names and values, in any order.
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
  static constexpr std::size_t most_few = 12;  // looked through one after the other
  std::vector<std::pair<std::string, Value>> few_;
  std::unordered_map<std::string, Value> many_;  // all, once there are more
};

// The JSON header of a message, taken apart.
struct MessageHeader {
  struct Entry {
    std::string dtype;
    Shape shape;
    std::size_t begin = 0, end = 0;
  };
  NamedValues<std::string> words;
  NamedValues<Entry> tensors;
};

// Reads it strictly: every key once, words that are strings, tensors of exactly
// three fields.  Whether the tensors' bytes fit together is not looked at here.
// Errors: backend_failed, with the cure.
Result<MessageHeader> read_header(std::string_view text);

// The same for a header that is written as most are: ASCII without escapes, and
// nothing wrong with it.  Nothing where it is written otherwise.
std::optional<MessageHeader> read_plain_header(std::string_view text);

// The text as JSON spells it, in ASCII.
std::string json_text(std::string_view text);

}  // namespace certile
