#include "backends/worker/hello.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reference/values/case.hpp"

namespace certile {
namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t most_parts = 256;
constexpr std::int64_t largest_batch = 4096;

Error invalid(const std::string& what) {
  return {Error::Code::backend_failed, "its answer to hello " + what};
}

Result<std::string> text(const Message& reply, const std::string& key) {
  const std::string* found = reply.word(key);
  if (found == nullptr || found->empty() || found->size() > longest_name)
    return invalid("needs " + key + ", a text of 1 to " + std::to_string(longest_name) + " bytes");
  return *found;
}

template <class Item>
Result<std::vector<Item>> list(const Message& reply, const std::string& key,
                               std::optional<Item> (*named)(std::string_view) noexcept, const char* example) {
  const std::string* found = reply.word(key);
  if (found == nullptr)
    return invalid("needs " + key + ", names with spaces between them, for instance \"" + example + "\"");
  std::vector<Item> items;
  for (std::string_view rest = *found; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto item = named(word);
    if (!item)
      return invalid("has '" + std::string(word.substr(0, 40)) + "' in " + key +
                     ", which is no name that certile knows; `certile list` shows them");
    if (std::find(items.begin(), items.end(), *item) == items.end()) items.push_back(*item);
  }
  if (items.empty()) return invalid("has nothing in " + key + ", for instance \"" + example + "\"");
  return items;
}

// Returns a number of 0 or more; `otherwise` if the reply does not have it.
Result<std::int64_t> number(const Message& reply, const std::string& key, std::int64_t otherwise) {
  const std::string* found = reply.word(key);
  if (found == nullptr) return otherwise;
  std::int64_t value = -1;
  const char* end = found->data() + found->size();
  if (std::from_chars(found->data(), end, value).ptr != end || found->empty() || value < 0)
    return invalid("has " + key + " '" + found->substr(0, 40) + "', which is no number of 0 or more");
  return value;
}

// Reads "SHA256  NAME" or "SHA256  NAME  VERSION", a line for each.
Result<std::vector<Part>> parts_in(const Message& reply) {
  std::vector<Part> parts;
  const std::string* found = reply.word("parts");
  if (found == nullptr) return parts;
  constexpr std::string_view gap = "  ";
  for (std::string_view rest = *found; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string_view digest = line.substr(0, line.find(gap));
    const std::string_view named = line.substr(std::min(line.size(), digest.size() + gap.size()));
    const std::string_view name = named.substr(0, named.find(gap));
    const std::string_view version = named.substr(std::min(named.size(), name.size() + gap.size()));
    const bool is_digest = digest.size() == 64 && digest.find_first_not_of("0123456789abcdef") == digest.npos;
    if (!is_digest || name.empty() || name.size() > longest_name || version.size() > longest_name)
      return invalid("has '" + std::string(line.substr(0, 100)) +
                     "' in parts, where a line is the SHA-256 in 64 hex digits, two spaces, a name of 1 to " +
                     std::to_string(longest_name) +
                     " bytes, and, where there is one, two spaces and a version");
    if (parts.size() == most_parts)
      return invalid("has more than " + std::to_string(most_parts) + " lines in parts");
    parts.push_back({std::string(name), std::string(version), std::string(digest)});
  }
  return parts;
}

}  // namespace

MessageWriter hello_message() {
  MessageWriter message;
  message.say("cmd", "hello");
  message.say("protocol", "1");
  message.say("certile", CERTILE_VERSION);
  return message;
}

Result<Hello> read_hello(const Message& reply) {
  Hello hello;
  Description& claim = hello.claim;
  auto name = text(reply, "name");
  if (!name) return name.error();
  auto version = text(reply, "version");
  if (!version) return version.error();
  auto definitions = list(reply, "operators", definition_named, "openvino-tile-1 onnx-tile-13");
  if (!definitions) return definitions.error();
  auto types = list(reply, "types", element_type_named, "f32 i64 u8");
  if (!types) return types.error();
  auto repeats_types = list(reply, "repeats_types", element_type_named, "i64");
  if (!repeats_types) return repeats_types.error();
  claim.name = *std::move(name);
  claim.version = *std::move(version);
  claim.definitions = *std::move(definitions);
  claim.types = *std::move(types);
  claim.repeats_types = *std::move(repeats_types);

  const auto rank = number(reply, "max_rank", 0);
  if (!rank) return rank.error();
  const auto elements = number(reply, "max_elements", 0);
  if (!elements) return elements.error();
  const auto bytes = number(reply, "max_bytes", 0);
  if (!bytes) return bytes.error();
  const auto batch = number(reply, "batch", 1);
  if (!batch) return batch.error();
  constexpr std::int64_t widest = std::numeric_limits<int>::max();
  if (*rank != 0) claim.max_rank = static_cast<int>(std::min(*rank, widest));
  if (*elements != 0) claim.max_elements = *elements;
  if (*bytes != 0) claim.max_bytes = *bytes;
  hello.batch = static_cast<std::size_t>(std::clamp<std::int64_t>(*batch, 1, largest_batch));

  auto parts = parts_in(reply);
  if (!parts) return parts.error();
  claim.parts = *std::move(parts);

  const std::string* infer = reply.word("infer");
  if (infer == nullptr || (*infer != "yes" && *infer != "no"))
    return invalid("needs infer: yes where it answers `infer`, else no");
  claim.infers = *infer == "yes";
  claim.in_process = false;
  return hello;
}

}  // namespace certile
