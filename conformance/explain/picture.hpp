#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/run/session.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// An output with wrong elements, next to the expected one of the same type and shape.
struct WrongElements {
  Tensor expected, seen;
  Tensor data;                      // the input; its shape has leading ones, up to the rank of the output
  std::vector<std::int64_t> wrong;  // the indices of the wrong elements, rising; never empty
  std::vector<bool> unwritten;      // the elements that were not written; empty: all were

  const Shape& shape() const noexcept { return expected.shape(); }
  std::int64_t count() const noexcept { return expected.count(); }
  bool is_unwritten(std::int64_t index) const {
    const auto at = static_cast<std::size_t>(index);
    return at < unwritten.size() && unwritten[at];
  }
  // Returns the number of copies along an axis.
  std::int64_t copies(std::size_t axis) const { return shape()[axis] / data.shape()[axis]; }
};

// Compares the two; unwritten elements are wrong.  Returns nothing if no element is wrong, if type or shape
// differ, if the output is not made of whole copies of the data, or if it has more elements than a person
// waits for.
std::optional<WrongElements> wrong_elements_of(const Tensor& expected, const Tensor& seen, const Tensor& data,
                                               std::vector<bool> unwritten);

// Returns the bits of an element, or its characters, to compare it with others.
std::string element_key(const Tensor& tensor, std::int64_t index);

// Returns the cases that show the failure again, the failing one last; none if one cannot be read.
std::deque<PlannedCase> cases_of(const Record& failure);

// Returns the case with the expected output and the one that the record has, as if it had been asked again.
// Nothing for an output that is not in the record, and for one that no call of the case can give.
std::optional<Judged> recorded_answer(const Record& failure);

// Returns the wrong elements of the output that the record has; nothing if it has none.
std::optional<WrongElements> recorded_elements(const Record& failure);

// The room for a picture, in characters and in rows of elements.
struct PictureSize {
  std::size_t width = 110, rows = 16;
};

// The expected and the actual output next to each other: one picture, which a terminal shows as text and a
// page as tables.  Of more than two axes it has one slice, of a large output the part around the first wrong
// element.
struct Picture {
  struct Cell {
    std::string expected, seen;  // seen: "?" if it was not written
    bool is_wrong = false, is_unwritten = false;
  };
  std::string slice, part;  // "slice [1,:,:]; wrong …", "rows 0 to 5 of 40"; empty: the output has no others
  std::int64_t first_row = 0, first_column = 0;
  std::vector<std::vector<Cell>> rows;            // never empty
  std::vector<bool> row_borders, column_borders;  // a copy of the data begins at this row or column
  std::size_t cell_width = 1;                     // in characters

  bool has_unwritten() const;
};

// Draws the wrong elements.  Returns nothing if even a single column is too wide.
std::optional<Picture> picture_of(const WrongElements& found, const PictureSize& size);

// Returns the picture as lines with their newlines: wrong elements have a `*`, and lines separate the copies
// of the data.
std::string text_of(const Picture& picture);

}  // namespace certile::conformance
