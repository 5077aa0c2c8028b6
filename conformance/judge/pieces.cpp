#include "conformance/judge/pieces.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "reference/second/tile_by_copies.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

std::int64_t product_from(const Shape& shape, std::size_t axis) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end(), std::int64_t{1},
                         std::multiplies<>());
}

Shape behind(const Shape& shape, std::size_t axis) {
  return {shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end()};
}

// Returns the call of that data, whose first axis is repeated `times` times, and the others as often as
// `inner` says.
Case smaller_call(const Case& asked, const Shape& shape, std::int64_t times, const Shape& inner) {
  Case question;
  question.definition = asked.definition;
  question.data = Tensor::without_elements(asked.data.type(), shape);
  Shape repeats{times};
  repeats.insert(repeats.end(), inner.begin(), inner.end());
  if (!asked.axis) {
    question.repeats = tensor_of_numbers(ElementType::i64, {std::ssize(repeats)}, repeats);
    return question;
  }
  // Only one axis is repeated under such a definition.
  const auto repeated = std::ranges::find_if(repeats, [](std::int64_t each) { return each != 1; });
  const std::int64_t axis = repeated == repeats.end() ? 0 : repeated - repeats.begin();
  question.repeats = tensor_of_numbers(ElementType::i64, {}, Shape{repeats[static_cast<std::size_t>(axis)]});
  question.axis = tensor_of_numbers(ElementType::i64, {}, Shape{axis});
  return question;
}

}  // namespace

Pieces::Pieces(const Case& question, oracle::Promoted tiling, std::uint64_t bytes)
    : asked_(question), tiling_(std::move(tiling)), data_(data_of(question)) {
  const Shape& output = tiling_.output;
  const auto width = static_cast<std::uint64_t>(bits(asked_.data.type()) / 8);
  const auto size_of_row = [&](std::size_t axis) {
    return static_cast<std::uint64_t>(product_from(output, axis + 1)) * width;
  };
  while (axis_ + 1 < output.size() && size_of_row(axis_) > bytes)
    ++axis_;
  const auto rows = static_cast<std::int64_t>(std::max<std::uint64_t>(bytes / size_of_row(axis_), 1));
  const std::int64_t period = tiling_.data[axis_];
  // Whole periods, or a part of one: then a piece must not go beyond the end of its period.
  step_ = rows >= period ? rows / period * period : rows;
  const std::int64_t parts_of_period = (period + step_ - 1) / step_;
  per_row_ = rows >= period ? (output[axis_] + step_ - 1) / step_ : output[axis_] / period * parts_of_period;
  count_ = product_from(output, 0) / product_from(output, axis_) * per_row_;
}

Pieces::Piece Pieces::at(std::int64_t number) const {
  const Shape &output = tiling_.output, &data = tiling_.data;
  const std::int64_t period = data[axis_];
  std::int64_t outside = number / per_row_, part = number % per_row_;
  std::int64_t begin = part * step_, length = std::min(step_, output[axis_] - begin);
  if (step_ < period) {
    const std::int64_t parts = (period + step_ - 1) / step_;
    begin = part / parts * period + part % parts * step_;
    length = std::min(step_, period - part % parts * step_);
  }
  const std::int64_t rows = std::min(length, period);
  const std::int64_t first =
      number / per_row_ * product_from(output, axis_) + begin * product_from(output, axis_ + 1);
  // The data's rows lie in one stretch: those at the same place of the axes outside, each modulo the data's
  // dimension.
  std::int64_t from = begin % period * product_from(data, axis_ + 1);
  for (std::size_t axis = axis_; axis-- > 0;) {
    from += outside % output[axis] % data[axis] * product_from(data, axis + 1);
    outside /= output[axis];
  }
  Shape shape = behind(data, axis_);
  shape.front() = rows;
  return {first, smaller_call(asked_, shape, length / rows, behind(tiling_.repeats, axis_ + 1)),
          part_of(data_, from, shape)};
}

Result<std::optional<WrongPiece>> wrong_piece(const Case& question, const Tensor& output) {
  TRY(const auto tiling, oracle::settled_tiling(question));
  const Pieces pieces(question, tiling);
  std::optional<WrongPiece> wrong;
  for (std::int64_t number = 0; number < pieces.count(); ++number) {
    const Pieces::Piece piece = pieces.at(number);
    TRY(auto expected, second::tile_by_copies(piece.question, piece.data));
    Tensor seen = part_of(output, piece.first, expected.shape());
    const auto found = difference(expected, seen);
    if (found && wrong)
      wrong->elements += found->wrong;
    else if (found)
      wrong = {*found, piece.first, found->wrong, std::move(expected), std::move(seen)};
  }
  return wrong;
}

Tensor part_of(const Tensor& output, std::int64_t first, const Shape& shape) {
  Tensor part(output.type(), shape);
  const auto width = static_cast<std::size_t>(bits(output.type()) / 8);
  const auto bytes = output.bytes().subspan(static_cast<std::size_t>(first) * width, part.bytes().size());
  std::ranges::copy(bytes, part.bytes().begin());
  return part;
}

}  // namespace certile::conformance
