#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/plugin/call.hpp"
#include "backends/plugin/certile_plugin.h"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// Returns the number of certile_plugin.h.
std::uint32_t c_code(ElementType type) noexcept;
std::uint32_t c_code(DefinitionId definition) noexcept;

// Returns the largest power of two that divides the address; without an address, the size of an element.
std::uint64_t alignment_of(const void* address, ElementType type) noexcept;

// Returns a tensor as the C header describes it.  The shape stays the caller's.
certile_tensor c_tensor(const TensorView& tensor) noexcept;
certile_tensor c_tensor(const MutableTensorView& tensor) noexcept;

// The call that a backend receives, with the tensors that it points to.  The views' shapes and bytes stay the
// caller's.
class PluginCall {
 public:
  explicit PluginCall(const Call& call) noexcept;
  PluginCall(const Case& question, const Tensor& data) noexcept : PluginCall(call_of(question, data)) {}
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  operator const certile_call&() const noexcept { return call_; }

 private:
  certile_tensor data_, repeats_, axis_;
  certile_call call_;
};

}  // namespace certile::backends
