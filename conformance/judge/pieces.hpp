#pragma once
#include <cstdint>
#include <optional>

#include "conformance/judge/difference.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// A large answer in pieces, each of which is the answer to a smaller call, so that no oracle has to hold all
// of it.  A piece is a stretch of the output on one axis: the data's rows along that axis, all of them some
// whole number of times, or a part of them once, and whatever the axes inside repeat.
class Pieces {
 public:
  // Cuts the answer into pieces of at most `bytes`, unless one element is larger.
  Pieces(const Case& question, oracle::Promoted tiling, std::uint64_t bytes = std::uint64_t{4} << 20);

  std::int64_t count() const noexcept { return count_; }

  struct Piece {
    std::int64_t first = 0;  // the index in the output of the piece's first element
    Case question;           // the smaller call
    Tensor data;             // its data
  };
  // Returns the piece of that number, which is less than count().
  Piece at(std::int64_t number) const;

 private:
  Case asked_;
  oracle::Promoted tiling_;
  Tensor data_;
  std::size_t axis_ = 0;      // the axis that is cut
  std::int64_t step_ = 1;     // places of that axis in a piece
  std::int64_t per_row_ = 0;  // pieces for each place of the axes outside
  std::int64_t count_ = 0;
};

// The first piece of an output that is not as expected.
struct WrongPiece {
  Difference found;       // within the piece
  std::int64_t first;     // the index in the output of the piece's first element
  std::int64_t elements;  // wrong ones, of all pieces
  Tensor expected, seen;
};

// Compares an output of the right shape with each piece of the answer.  Returns nothing if all of it is
// right. Errors: rejected (the case has no answer), out_of_memory.
Result<std::optional<WrongPiece>> wrong_piece(const Case& question, const Tensor& output);

// Returns the elements of the output from `first` on, as a tensor of `shape`.
Tensor part_of(const Tensor& output, std::int64_t first, const Shape& shape);

}  // namespace certile::conformance
