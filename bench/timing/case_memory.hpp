#pragma once
#include <memory>
#include <span>

#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/warm_memory.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

// The tensors of a case in timing memory, shared by everything that is timed on the case in one process.
class CaseMemory {
 public:
  // Makes the tensors of a case whose output has elements.  Errors: rejected (the definition refuses),
  // out_of_memory.
  static Result<std::unique_ptr<CaseMemory>> make(const Case& question);

  // Returns the call of the case under this definition.  It points into this object.
  backends::PluginCall call(DefinitionId definition) const noexcept;
  MutableTensorView output() noexcept { return {data_.type(), shape_, output_.bytes()}; }
  std::span<const std::byte> output_bytes() const noexcept { return output_.bytes(); }

  // Returns the source of the copy limits: as many bytes as the data has, but at least a page and at most the
  // output, in whole cache lines if the output has one; not all zero.
  std::span<const std::byte> source() const noexcept { return source_; }

  // Drives input, source and output out of the caches.
  void flush() const;

 private:
  CaseMemory(Case question, Tensor data, std::size_t data_bytes, Shape shape, conformance::WarmMemory input,
             conformance::WarmMemory output);

  Case question_;
  Tensor data_;  // the elements are in `input_`, except the characters of strings
  Shape shape_;
  conformance::WarmMemory input_, output_;
  std::size_t data_bytes_;
  std::span<const std::byte> source_;
};

}  // namespace certile::bench
