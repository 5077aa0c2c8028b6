#pragma once
#include <cstddef>
#include <span>

#include "backends/plugin/certile_plugin.h"
#include "reference/values/call.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Returns the number of certile_plugin.h, which lists the types from 1 in the order of our enumeration.
constexpr std::uint32_t c_code(ElementType type) noexcept {
  return static_cast<std::uint32_t>(type) + 1;
}
std::uint32_t c_code(DefinitionId definition) noexcept;

// Returns the largest power of two that divides the address; without an address, the size of an element.
std::uint64_t alignment_of(const void* address, ElementType type) noexcept;

// Returns a tensor as the C header describes it.  `shape` stays the caller's.
certile_tensor c_tensor(ElementType type, std::span<const std::int64_t> shape,
                        std::span<const std::byte> bytes) noexcept;

// A call as the C header describes it; it points into itself and into the Call that it was made from.
class CCall {
 public:
  explicit CCall(const Call& call) noexcept;
  CCall(const CCall&) = delete;
  CCall& operator=(const CCall&) = delete;

  const certile_call& get() const noexcept { return call_; }

 private:
  certile_tensor data_;
  certile_tensor repeats_;
  certile_tensor axis_;
  certile_call call_;
};

}  // namespace certile
