#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/plugin/claim.hpp"
#include "backends/worker/message.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// Returns the greeting: `hello`, without the sequence number.
MessageWriter hello_message();
// Reads and checks the reply.  Errors: backend_failed, with what is missing and how it is spelled.
Result<Claim> read_hello(const Message& reply);

// A call in a message of the worker protocol, and its answer.

// Adds the call.  `command`: infer, run or time.
void add_call(MessageWriter& message, std::string_view command, const Case& question, const Tensor& data);
void add_call(MessageWriter& message, std::string_view command, DefinitionId definition, const Tensor& data,
              const Tensor& repeats, const std::optional<Tensor>& axis);

// Returns the shape that `infer` gave.  Errors: what the status stands for;
// backend_failed for an answer that is none of the protocol.
Result<Shape> inferred_in(const Message& answer);
// Returns a tensor that the call gave: `name` is out or nanoseconds.  Errors as
// above.
Result<Message::Received> tensor_in(const Message& answer, const std::string& name);
// Returns a copy of the output, of whichever type and shape it is.  Errors as above.
Result<Tensor> output_in(const Message& answer);

// Describes an output of another type or shape than these; empty for one of both.
std::string came_instead(const Message::Received& came, ElementType type,
                         std::span<const std::int64_t> shape);

// Returns the error for an answer that breaks the protocol.
Error misspoken(const std::string& what);
bool is_misspoken(const Error& error);

}  // namespace certile::backends
