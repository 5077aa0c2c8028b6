#pragma once
#include <cstddef>
#include <string_view>

#include "backends/plugin/claim.hpp"
#include "backends/worker/message.hpp"
#include "reference/values/result.hpp"

namespace certile::backends {

// The reply of a worker to the greeting.
struct Hello {
  Claim claim;
  std::size_t batch = 1;  // calls that it takes in one message
  bool operator==(const Hello&) const = default;
};

// Returns the greeting: `hello`, without the sequence number.
MessageWriter hello_message();
// Reads and checks the reply.  Errors: backend_failed, with what is missing and how it is spelled.
Result<Hello> read_hello(const Message& reply);

}  // namespace certile::backends
