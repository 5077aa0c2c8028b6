#include "backends/worker/calls.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backends/plugin/claim.hpp"
#include "backends/plugin/status.hpp"
#include "backends/worker/message.hpp"

namespace certile::backends {

namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t most_parts = 256;

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
  const std::string* found = reply.word(std::string(key.key));
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

Result<Claim> read_hello(const Message& reply) {
  auto read = claim_from([&reply](const ClaimWord& key) { return word_of(reply, key); });
  if (const auto* fault = std::get_if<ClaimFault>(&read)) return invalid(sentence(*fault));
  Claim claim = std::get<Claim>(std::move(read));
  if (const auto key = empty_list(claim); !key.empty())
    return invalid("has nothing in " + std::string(key) + ", for instance \"" + example_of(key) + "\"");
  auto parts = parts_in(reply);
  if (!parts) return parts.error();
  claim.parts = *std::move(parts);
  return claim;
}

namespace {

constexpr std::string_view not_of_the_protocol = "the worker's answer is not one of the protocol: ";

std::string shape_text(ElementType type, std::span<const std::int64_t> shape) {
  return std::string(name(type)) + "[" + shape_words(shape) + "]";
}

// Returns the Error for a call's status; nothing if the status is ok.
std::optional<Error> refusal_in(const Message& answer) {
  const std::string* status = answer.word("status");
  if (status == nullptr)
    return misspoken("it has no status; say ok, rejected, unsupported, no_memory or failed");
  const auto reported = reported_status(*status);
  if (!reported)
    return misspoken("its status is '" + status->substr(0, 40) +
                     "'; it is one of ok, rejected, unsupported, no_memory and failed");
  if (*reported == Status::ok) return std::nullopt;
  const std::string* why = answer.word("why");
  return Error{code_of(*reported), why == nullptr ? *status + ", without a why" : *why};
}

// Returns the size of the output of a call with data of `size` bytes; 0 if no memory holds it.
std::size_t output_size(std::size_t size, const Tensor& repeats) {
  constexpr std::size_t largest = std::size_t{8} << 30;
  for (std::int64_t index = 0; index < repeats.count(); ++index) {
    const std::uint64_t repeat = repeats.element(index).low;
    if (repeat != 0 && size > largest / repeat) return 0;
    size *= static_cast<std::size_t>(repeat);
  }
  return size;
}

}  // namespace

void add_call(MessageWriter& message, std::string_view command, const Case& question, const Tensor& data) {
  add_call(message, command, question.definition, data, question.repeats, question.axis);
}

void add_call(MessageWriter& message, std::string_view command, DefinitionId definition, const Tensor& data,
              const Tensor& repeats, const std::optional<Tensor>& axis) {
  message.say_name("cmd", command);
  message.say_name("op", name(definition));
  if (command == "infer") {
    message.add_shape("data", data.type(), data.shape());
  } else {
    message.say_name("element_bits", std::to_string(bits(data.type())));
    const std::size_t before = message.body_size();
    message.add("data", data.view());
    message.allow_answer(output_size(message.body_size() - before, repeats));
  }
  message.add("repeats", repeats.view());
  if (axis) message.add("axis", axis->view());
}

Result<Shape> inferred_in(const Message& answer) {
  if (auto refused = refusal_in(answer)) return *std::move(refused);
  const std::string* words = answer.word("shape");
  auto shape = words == nullptr ? std::nullopt : read_shape_words(*words);
  if (!shape)
    return misspoken(
        "an infer that is ok says shape, for instance 4,6, and "
        "nothing for rank 0");
  return *std::move(shape);
}

Result<Message::Received> tensor_in(const Message& answer, const std::string& name) {
  if (auto refused = refusal_in(answer)) return *std::move(refused);
  auto came = answer.tensor(name);
  if (!came)
    return misspoken(came.error().what + "; a " + (name == "out" ? "run" : "time") +
                     " that is ok sends the tensor " + name);
  return came;
}

Result<Tensor> output_in(const Message& answer) {
  const auto came = tensor_in(answer, "out");
  if (!came) return came.error();
  if (came->type != ElementType::string) {
    Tensor tensor(came->type, came->shape);
    std::ranges::copy(came->bytes, tensor.bytes().begin());
    return tensor;
  }
  const auto views =
      strings_in(came->bytes, static_cast<std::size_t>(element_count(came->shape).value_or(0)));
  if (!views) return misspoken(views.error().what);
  std::vector<std::string> strings;
  for (const StringElement& each : *views)
    strings.emplace_back(each.bytes, each.size);
  return Tensor::of_strings(came->shape, strings);
}

std::string came_instead(const Message::Received& came, ElementType type,
                         std::span<const std::int64_t> shape) {
  if (came.type == type && std::ranges::equal(came.shape, shape)) return {};
  return "the output is " + shape_text(came.type, came.shape) + ", expected " + shape_text(type, shape);
}

Error misspoken(const std::string& what) {
  return {Error::Code::backend_failed, std::string(not_of_the_protocol) + what};
}

bool is_misspoken(const Error& error) {
  return error.what.starts_with(not_of_the_protocol);
}

}  // namespace certile::backends
