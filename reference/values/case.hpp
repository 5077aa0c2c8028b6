#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/definition_id.hpp"
#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// A recipe by which make_filled() makes elements that are not spelled out: the same bytes on every machine.
struct Fill {
  enum class Kind : std::uint8_t { index, bits, special, zero, lengthy, brief } kind = Kind::index;
  std::uint64_t seed = 0;
  bool operator==(const Fill&) const = default;
};

// The circumstances of a call.  None of them may change the answer, by a clause of the contract.
struct Placement {
  enum class Guard : std::uint8_t {
    none,
    before,
    after
  } guard = Guard::none;  // an unreadable page flush against each buffer
  int offset = 0;  // else: bytes past a 64-byte boundary, 0 to 63, in whole elements (packed types: any)
  std::optional<int> output_offset = {};  // the output's, if it differs from `offset`
  int threads = 1;  // concurrent `run` calls: each has its own data (fill seed + i) and output, is made
                    // 1,000 times, and overlaps with calls of another shape
  int calls = 1;    // above 1: calls in a row, with unlike ones among them, by one thread
  bool shape_only = false;  // only `infer` is called
  bool operator==(const Placement&) const = default;

  // Returns true if the placement says anything about the buffers' addresses.
  bool chooses_addresses() const noexcept { return guard != Guard::none || offset != 0 || output_offset; }
};

// A call of a definition: the meaning of a literal.
struct Case {
  DefinitionId definition{};
  Tensor data = Tensor::without_elements(ElementType::f32, {});  // without elements if the fill makes them
  Tensor repeats{ElementType::i64, {0}};
  std::optional<Tensor> axis = {};  // set if and only if the definition has an axis
  Fill fill;
  Placement placement;
  bool operator==(const Case&) const = default;
};

// The largest number of characters that a literal may have.
inline constexpr std::size_t longest_literal = 4096;

// Reads a literal, canonical or not.  Returns bad_literal, in whose sentence columns count from 1, if the
// text means no case.
Result<Case> parse_case(std::string_view literal);

// Returns the canonical literal; parse_case(to_string(c)) == c for every Case whose literal is not too long.
std::string to_string(const Case& question);

// Returns the case whose canonical literal this is, however long it is.  The text must be one that
// to_string() has returned.
Case case_of(std::string_view canonical);

// A line of a corpus, or an example of a specification page: LITERAL [=> expectation] [# words].
struct CorpusLine {
  enum class Expects : std::uint8_t { whatever_the_oracle_says, tensor, reject, unspecified };
  Case question;
  Expects expects = Expects::whatever_the_oracle_says;
  std::optional<Tensor> tensor;  // set if `expects` is tensor: type and shape, and possibly elements
  std::string words;             // after the #, without leading and trailing spaces
};

// Reads a line of a corpus; the caller skips empty lines and those that begin with #.
Result<CorpusLine> parse_corpus_line(std::string_view line);

}  // namespace certile
