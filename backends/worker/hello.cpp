#include "backends/worker/hello.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backends/plugin/claim_words.hpp"

namespace certile::backends {
namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t most_parts = 256;
constexpr std::int64_t largest_batch = 4096;

// Returns an example of a list of names.
std::string example_of(std::string_view key) {
  return key == "operators" ? "openvino-tile-1 onnx-tile-13" : key == "types" ? "f32 i64 u8" : "i64";
}

Error invalid(const std::string& what) {
  return {Error::Code::backend_failed, "its answer to hello " + what};
}

std::string sentence(const ClaimFault& fault) {
  const std::string key(fault.key);
  switch (fault.kind) {
    case ClaimFault::Kind::unknown_name:
      return "has '" + fault.word + "' in " + key +
             ", which is no name that certile knows; `certile list` shows them";
    case ClaimFault::Kind::no_number:
      return "has " + key + " '" + fault.word + "', which is no number of 0 or more";
    case ClaimFault::Kind::no_word:
      break;
  }
  if (key == "infer") return "needs infer: yes where it answers `infer`, else no";
  if (key == "name" || key == "version")
    return "needs " + key + ", a text of 1 to " + std::to_string(longest_name) + " bytes";
  return "needs " + key + ", names with spaces between them, for instance \"" + example_of(key) + "\"";
}

// Returns the word of a key; nothing for a name or a version that is empty or endless.
std::optional<std::string> word_of(const Message& reply, const ClaimWord& key) {
  const std::string* found = reply.word(key.key);
  if (found == nullptr) return std::nullopt;
  if (key.kind == ClaimWord::Kind::text && (found->empty() || found->size() > longest_name))
    return std::nullopt;
  return *found;
}

// Reads lines of "SHA256  NAME" or "SHA256  NAME  VERSION".
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
  auto read = claim_from([&reply](const ClaimWord& key) { return word_of(reply, key); });
  if (const auto* fault = std::get_if<ClaimFault>(&read)) return invalid(sentence(*fault));
  Hello hello{std::get<Claim>(std::move(read))};
  Claim& claim = hello.claim;
  if (const auto key = empty_list(claim); !key.empty())
    return invalid("has nothing in " + std::string(key) + ", for instance \"" + example_of(key) + "\"");
  if (const std::string* found = reply.word("batch")) {
    const auto batch = count_in(*found);
    if (!batch) return invalid(sentence({ClaimFault::Kind::no_number, "batch", found->substr(0, 40)}));
    hello.batch = static_cast<std::size_t>(std::clamp<std::int64_t>(*batch, 1, largest_batch));
  }
  auto parts = parts_in(reply);
  if (!parts) return parts.error();
  claim.parts = *std::move(parts);
  return hello;
}

}  // namespace certile::backends
