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

// How elements that are not spelled out are made, by make_filled(): the same bytes on every machine.
struct Fill {
  enum class Kind : std::uint8_t { index, bits, special } kind = Kind::index;
  std::uint64_t seed = 0;
  bool operator==(const Fill&) const = default;
};

// How the call is made.  Nothing here may change the answer; that is a clause of its own.
struct Placement {
  enum class Guard : std::uint8_t {
    none,
    before,
    after
  } guard = Guard::none;  // an unreadable page flush against each buffer
  int offset = 0;   // else: bytes past a 64-byte boundary, 0 to 63, a multiple of the element's bytes (packed
                    // types: any)
  int threads = 1;  // so many concurrent `run` calls, own output each, data of fill seed + i, 1,000 rounds,
                    // while calls of another shape go on beside them
  bool shape_only = false;  // only `infer` is asked
  bool operator==(const Placement&) const = default;
};

// A question, with the meaning of its literal.
struct Case {
  DefinitionId definition{};
  Tensor data = Tensor::without_elements(ElementType::f32, {});  // without elements: the fill makes them
  Tensor repeats{ElementType::i64, {0}};
  std::optional<Tensor> axis = {};  // where the definition has one, and there always
  Fill fill;
  Placement placement;
  bool operator==(const Case&) const = default;
};

// The number of characters that a literal has at most.
inline constexpr std::size_t longest_literal = 4096;

// Reads a literal.  A literal that is not canonical but means something is accepted; anything else is a
// bad_literal whose sentence names the column (from 1).
Result<Case> parse_case(std::string_view literal);

// The canonical literal; parse_case(to_string(c)) == c for every Case.
std::string to_string(const Case& question);

// A line of a corpus, or an example of a specification page: LITERAL [=> expectation] [# words].
struct CorpusLine {
  enum class Expects : std::uint8_t { whatever_the_oracle_says, tensor, reject, unspecified };
  Case question;
  Expects expects = Expects::whatever_the_oracle_says;
  std::optional<Tensor> tensor;  // set when `expects` is tensor: type and shape, perhaps elements
  std::string words;             // after the #, without leading and trailing spaces
};

// Reads such a line; the caller has skipped the empty ones and those that begin with #.
Result<CorpusLine> parse_corpus_line(std::string_view line);

}  // namespace certile
