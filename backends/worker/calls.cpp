#include "backends/worker/calls.hpp"

#include <algorithm>
#include <vector>

#include "backends/plugin/status.hpp"
#include "backends/worker/wire_types.hpp"

namespace certile::backends {
namespace {

constexpr std::string_view not_of_the_protocol = "the worker's answer is not one of the protocol: ";

std::string shape_text(ElementType type, std::span<const std::int64_t> shape) {
  return std::string(name(type)) + "[" + shape_words(shape) + "]";
}

// Returns the Error for a call's status; nothing if the status is ok.
std::optional<Error> refusal_in(const Message& answer, std::string_view prefix) {
  const std::string* status = answer.word(prefix, "status");
  if (status == nullptr)
    return misspoken("it has no status; say ok, rejected, unsupported, no_memory or failed");
  const auto reported = reported_status(*status);
  if (!reported)
    return misspoken("its status is '" + status->substr(0, 40) +
                     "'; it is one of ok, rejected, unsupported, no_memory and failed");
  if (*reported == Status::ok) return std::nullopt;
  const std::string* why = answer.word(prefix, "why");
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
  // Types and shapes are sent for every operand, so that a worker need not know how each type is sent.
  const auto add = [&message](const char* operand, const TensorView& tensor) {
    message.add_shape(operand, tensor.type, tensor.shape);
    message.add_bytes(operand, tensor);
  };
  if (command == "infer") {
    message.add_shape("data", data.type(), data.shape());
  } else {
    message.say_name("element_bits", std::to_string(bits(data.type())));
    const std::size_t before = message.body_size();
    add("data", data.view());
    message.allow_answer(output_size(message.body_size() - before, repeats));
  }
  add("repeats", repeats.view());
  if (axis) add("axis", axis->view());
}

Result<Shape> inferred_in(const Message& answer, std::string_view prefix) {
  if (auto refused = refusal_in(answer, prefix)) return *std::move(refused);
  const std::string* words = answer.word(prefix, "shape");
  auto shape = words == nullptr ? std::nullopt : read_shape_words(*words);
  if (!shape)
    return misspoken(
        "an infer that is ok says shape, for instance 4,6, and "
        "nothing for rank 0");
  return *std::move(shape);
}

Result<Message::Received> tensor_in(const Message& answer, std::string_view prefix, std::string_view name) {
  if (auto refused = refusal_in(answer, prefix)) return *std::move(refused);
  auto came = answer.tensor(prefix, name);
  if (!came)
    return misspoken(came.error().what + "; a " + (name == "out" ? "run" : "time") +
                     " that is ok sends the tensor " + std::string(name));
  return came;
}

Result<Tensor> output_in(const Message& answer, std::string_view prefix) {
  const auto came = tensor_in(answer, prefix, "out");
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
