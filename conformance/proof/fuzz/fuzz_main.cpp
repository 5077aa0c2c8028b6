// The entry point for libFuzzer, whose options follow --target=NAME.
#include <cstdint>
#include <string_view>

#include "conformance/proof/fuzz/fuzz_target.hpp"

namespace {

const certile::conformance::FuzzTarget* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argument_count, char*** arguments) {
  constexpr std::string_view option = "--target=";
  std::string_view name;
  for (int index = 1; index < *argument_count; ++index) {
    const std::string_view word = (*arguments)[index];
    if (word.starts_with(option)) name = word.substr(option.size());
  }
  target = &certile::conformance::fuzz_target(name);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  target->take(std::as_bytes(std::span(bytes, size)));
  return 0;
}
