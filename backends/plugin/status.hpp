#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "backends/plugin/certile_plugin.h"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// The end of a call of a backend: the statuses of the C header, and the ends that no backend reports.
enum class Status : std::int32_t {
  ok = CERTILE_OK,
  rejected = CERTILE_REJECTED,
  unsupported = CERTILE_UNSUPPORTED,
  no_memory = CERTILE_NO_MEMORY,
  failed = CERTILE_FAILED,
  crashed = 16,
  timed_out,
  not_called,
};

// Returns the status of that number in the C header, or of that word in the worker protocol ("no_memory");
// nothing for others.
std::optional<Status> reported_status(std::int32_t number) noexcept;
std::optional<Status> reported_status(std::string_view word) noexcept;

// Returns the word; "failed" for a status that no backend reports.
std::string_view name(Status status) noexcept;

// Converts between a reported status other than ok and the code of an Error that means the same; every other
// code is `failed`.
Error::Code code_of(Status status) noexcept;
Status status_of(Error::Code code) noexcept;

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
