#include "reference/oracle/tile.hpp"
#include "reference/values/oracle_calls.hpp"

#include <cstring>
#include <new>
#include <span>
#include <stdexcept>

#include "reference/oracle/promote.hpp"

namespace certile::oracle {
namespace {

// Returns the row-major position in the data of the output's element `position`: on every axis, the data's
// index is the output's index modulo the data's dimension.  Goes from the last axis to the first.
//   ours [OV-T1-X2]: the page's formula starts at 1 and has an undefined index.  Every implementation follows
//   this formula instead, which spells out [OV-T1-G2] [ONNX-T13-S1] [ONNX-T13-S2] [ONNX-T6-S1] [ONNX-T6-S2]
//   [ONNX-T1-S1]: the data repeats along every axis
std::int64_t source_of(std::int64_t position, std::span<const std::int64_t> output,
                       std::span<const std::int64_t> data) {
  std::int64_t source = 0;
  std::int64_t stride = 1;
  for (std::size_t axis = output.size(); axis-- > 0;) {
    source += position % output[axis] % data[axis] * stride;
    position /= output[axis];
    stride *= data[axis];
  }
  return source;
}

// Copies a row of elements bit for bit: the `period` elements of the data from `source` on, again and again.
void copy_row(const Tensor& data, std::int64_t source, std::int64_t period, Tensor& output,
              std::int64_t start, std::int64_t row) {
  if (is_packed(data.type())) {
    for (std::int64_t index = 0; index < row; ++index)
      output.set_element(start + index, data.element(source + index % period));
    return;
  }
  const auto width = static_cast<std::size_t>(bits(data.type())) / 8;
  const std::byte* from = data.bytes().data() + static_cast<std::size_t>(source) * width;
  std::byte* to = output.bytes().data() + static_cast<std::size_t>(start) * width;
  for (std::int64_t index = 0; index < row; index += period)
    std::memcpy(to + static_cast<std::size_t>(index) * width, from, static_cast<std::size_t>(period) * width);
}

Tensor fill_output(const Tensor& data, const Promoted& promoted) {
  // [OV-T1-O2] [ONNX-T13-O1] [ONNX-T6-O1] [ONNX-T1-O1] the output has the data's type
  Tensor output = Tensor::for_output_of(data, promoted.output);
  const std::int64_t count = output.count();
  // Only the last index changes within a row of the output, so one call of source_of() serves a whole row.
  const std::int64_t row = promoted.output.empty() ? 1 : promoted.output.back();
  const std::int64_t period = promoted.data.empty() ? 1 : promoted.data.back();
  for (std::int64_t start = 0; start < count; start += row)
    copy_row(data, source_of(start, promoted.output, promoted.data), period, output, start, row);
  return output;
}

}  // namespace

Result<Tensor> tile(const Case& question, const Tensor& data) {
  count_oracle_call();
  const Ruling ruling = promote(question);
  if (const auto* refusal = std::get_if<Refusal>(&ruling))
    return Error{Error::Code::rejected, refusal->why, std::string(text_of(refusal->clause))};
  const Promoted* tiling = promoted(ruling);
  const Error too_large{Error::Code::out_of_memory, "the output is too large for this machine's memory"};
  if (!byte_size(data.type(), element_count(tiling->output).value())) return too_large;
  try {
    return fill_output(data, *tiling);
  } catch (const std::bad_alloc&) {
    return too_large;
  } catch (const std::length_error&) {
    return too_large;
  }
}

}  // namespace certile::oracle
