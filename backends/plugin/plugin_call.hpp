#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "backends/plugin/certile_plugin.h"
#include "reference/values/case.hpp"
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
  // Makes a call of these tensors.  `data.bytes` is empty if only the shape is asked for.
  PluginCall(DefinitionId definition, const TensorView& data, const TensorView& repeats,
             const std::optional<TensorView>& axis) noexcept;
  // Makes the call of a case with this data.  It points into both.
  PluginCall(const Case& question, const Tensor& data) noexcept
      : PluginCall(question.definition, data.view(), question.repeats.view(), view_of(question.axis)) {}
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  operator const certile_call&() const noexcept { return call_; }

 private:
  certile_tensor data_, repeats_, axis_;
  certile_call call_;
};

}  // namespace certile::backends
