#include "reference/oracle/tile.hpp"
#include "reference/values/oracle_calls.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "reference/oracle/promote.hpp"
#include "reference/values/tensor.hpp"

namespace certile::oracle {
namespace {

// The rows of the output, one after the other: they differ in the indices of all axes but the last.  Each
// knows where in the data its elements begin.
class Rows {
 public:
  Rows(std::span<const std::int64_t> output, std::span<const std::int64_t> data) {
    std::int64_t stride = 1;
    for (std::size_t axis = output.size(); axis-- > 0;) {
      if (axis + 1 < output.size()) axes_.push_back({output[axis], data[axis], stride});
      stride *= data[axis];
    }
  }

  // Returns the row-major position in the data of the present row's first element.
  std::int64_t source() const noexcept { return source_; }

  // Goes on to the next row in row-major order.  On every axis, the data's index is the output's index modulo
  // the data's dimension.
  //   ours [OV-T1-X2]: the page's formula starts at 1 and has an undefined index.  Every implementation
  //   follows this formula instead, which spells out [OV-T1-G2] [ONNX-T13-S1] [ONNX-T13-S2] [ONNX-T6-S1]
  //   [ONNX-T6-S2] [ONNX-T1-S1]: the data repeats along every axis
  void advance() noexcept {
    for (Axis& axis : axes_) {
      axis.index = axis.index + 1 == axis.output ? 0 : axis.index + 1;
      source_ -= axis.data_index * axis.stride;
      axis.data_index = axis.data_index + 1 == axis.data ? 0 : axis.data_index + 1;  // modulo, by counting
      source_ += axis.data_index * axis.stride;
      if (axis.index != 0) return;  // else the next axis goes on, as in counting
    }
  }

 private:
  struct Axis {
    std::int64_t output, data, stride, index = 0, data_index = 0;
  };

  std::vector<Axis> axes_;  // from the last but one to the first
  std::int64_t source_ = 0;
};

// Copies a row of `row` bytes: the `period` bytes from `from` on, again and again.  What the row has already
// is copied behind itself, so that a row of many short periods takes few copies.
void copy_row(const std::byte* from, std::size_t period, std::byte* to, std::size_t row) {
  std::memcpy(to, from, period);
  for (std::size_t done = period; done < row;) {
    const std::size_t size = std::min(done, row - done);
    std::memcpy(to + done, to, size);
    done += size;
  }
}

// The last axis of a call, in elements.
struct LastAxis {
  std::size_t row, period;  // of the output and of the data
};

void fill_whole_bytes(const Tensor& data, Rows rows, LastAxis last, Tensor& output) {
  const auto width = static_cast<std::size_t>(bits(data.type())) / 8;
  const auto count = static_cast<std::size_t>(output.count());
  for (std::size_t start = 0; start < count; start += last.row, rows.advance())
    copy_row(data.bytes().data() + static_cast<std::size_t>(rows.source()) * width, last.period * width,
             output.bytes().data() + start * width, last.row * width);
}

// Copies packed elements as bytes that hold one element each, and packs row after row.
void fill_packed(const Tensor& data, Rows rows, LastAxis last, Tensor& output) {
  std::vector<std::byte> elements(static_cast<std::size_t>(data.count())), row(last.row);
  unpack_elements(data.type(), data.bytes(), elements);
  const auto count = static_cast<std::size_t>(output.count());
  for (std::size_t start = 0; start < count; start += last.row, rows.advance()) {
    copy_row(elements.data() + rows.source(), last.period, row.data(), last.row);
    pack_elements(data.type(), row, output.bytes(), start);
  }
}

Tensor fill_output(const Tensor& data, const Promoted& promoted) {
  // [OV-T1-O2] [ONNX-T13-O1] [ONNX-T6-O1] [ONNX-T1-O1] the output has the data's type
  Tensor output = Tensor::for_output_of(data, promoted.output);
  if (output.count() == 0) return output;
  LastAxis last{1, 1};
  if (!promoted.output.empty())
    last = {static_cast<std::size_t>(promoted.output.back()), static_cast<std::size_t>(promoted.data.back())};
  const Rows rows(promoted.output, promoted.data);
  if (is_packed(data.type()))
    fill_packed(data, rows, last, output);
  else
    fill_whole_bytes(data, rows, last, output);
  return output;
}

}  // namespace

Result<Tensor> tile(const Case& question, const Tensor& data) {
  oracle_calls.fetch_add(1);
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
