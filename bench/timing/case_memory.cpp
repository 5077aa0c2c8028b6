#include "bench/timing/case_memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "reference/oracle/promote.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

constexpr std::size_t bytes_of_line = 64;
constexpr std::size_t least_source = 4096;

Error no_memory() {
  return {Error::Code::out_of_memory, "no memory for the data and the output"};
}

}  // namespace

CaseMemory::CaseMemory(Case question, Tensor data, std::size_t data_bytes, Shape shape,
                       conformance::WarmMemory input, conformance::WarmMemory output)
    : question_(std::move(question)),
      data_(std::move(data)),
      shape_(std::move(shape)),
      input_(std::move(input)),
      output_(std::move(output)),
      data_bytes_(data_bytes) {
  std::size_t footprint = std::min(std::max(data_bytes, least_source), output_.bytes().size());
  if (footprint >= bytes_of_line) footprint -= footprint % bytes_of_line;
  source_ = input_.bytes().first(footprint);
}

backends::PluginCall CaseMemory::call(DefinitionId definition) const noexcept {
  return {definition,
          {data_.type(), data_.shape(), input_.bytes().first(data_bytes_)},
          question_.repeats.view(),
          view_of(question_.axis)};
}

Result<std::unique_ptr<CaseMemory>> CaseMemory::make(const Case& question) {
  auto shape = oracle::output_shape(question);
  if (!shape) return shape.error();
  const auto count = element_count(*shape);
  const auto size = count ? byte_size(question.data.type(), *count) : std::nullopt;
  if (!size) return no_memory();
  try {
    Tensor data = data_of(question);
    const std::size_t data_bytes = data.bytes().size();
    auto input = conformance::WarmMemory::make(std::max(data_bytes, least_source));
    if (!input) return input.error();
    std::memcpy(input->bytes().data(), data.bytes().data(), data_bytes);
    // The tensor keeps the characters of strings; other types need only one copy.
    if (data.type() != ElementType::string) data = Tensor::without_elements(data.type(), data.shape());
    auto output = conformance::WarmMemory::make(*size);
    if (!output) return output.error();
    return std::unique_ptr<CaseMemory>(new CaseMemory(
        question, std::move(data), data_bytes, *std::move(shape), *std::move(input), *std::move(output)));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

void CaseMemory::flush() const {
  conformance::flush_from_caches(input_.bytes());
  conformance::flush_from_caches(output_.bytes());
}

}  // namespace certile::bench
