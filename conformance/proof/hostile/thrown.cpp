// Exceptions through the C table, which forbids them.
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "hostile.h"

namespace {

std::int32_t throw_error(const Asked*) {
  throw std::runtime_error("thrown through C");
}

std::int32_t throw_number(const Asked*) {
  throw 42;
}

std::int32_t throw_in_thread(const Asked* asked) {
  std::thread([asked] { throw_error(asked); }).join();
  return GO_ON;
}

std::int32_t throw_when_opened(certile_plugin*) {
  throw std::runtime_error("thrown through C");
}

void throw_when_destroyed() {
  throw std::runtime_error("thrown through C");
}

}  // namespace

// A C++20 designated initializer intentionally leaves unnamed members at 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
extern "C" {
extern const Hostile throws_an_error, throws_a_number, throws_in_a_thread, throws_when_opened,
    throws_when_destroyed;
const Hostile throws_an_error{.run = throw_error};
const Hostile throws_a_number{.infer = throw_number};
const Hostile throws_in_a_thread{.run = throw_in_thread};
const Hostile throws_when_opened{.open = throw_when_opened};
const Hostile throws_when_destroyed{.destroy = throw_when_destroyed};
}
