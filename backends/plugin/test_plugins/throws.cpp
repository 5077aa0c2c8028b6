// Lets exceptions cross the table: a standard one in one case, one of unknown type when it refuses shapes.
#include <stdexcept>

#include "test_plugin.h"

INFER(throws) {
  const std::int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK) throw 42;
  return status;
}

RUN(throws) {
  if (is_the_case(call)) throw std::runtime_error("thrown by the plugin");
  return right.run(self, call, out, why);
}

// A C++20 designated initializer intentionally leaves unnamed members at 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
extern "C" {
extern const TestPlugin throws;
const TestPlugin throws = {.infer = infer_throws, .run = run_throws};
}
