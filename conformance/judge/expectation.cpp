#include "conformance/judge/expectation.hpp"

#include <unistd.h>

#include <new>
#include <optional>
#include <utility>

#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/pieces.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/second/tile_by_copies.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// Returns half of this machine's memory, in bytes: an oracle that fills more would cause swapping.
double most_bytes() {
  static const double half =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 2;
  return half;
}

Error too_large() {
  return {Error::Code::out_of_memory, "the data and the answer are too large for this machine's memory"};
}

double bytes_of(ElementType type, const Shape& shape) {
  const auto count = element_count(shape);
  return count ? static_cast<double>(*count) * bits(type) / 8 : most_bytes();
}

// Returns true if data, answer and second answer of all concurrent calls would not fit.
bool is_too_large(const Case& question, const Shape& shape) {
  if (is_small(question)) return false;
  const double data = bytes_of(question.data.type(), question.data.shape());
  const double output = bytes_of(question.data.type(), shape);
  return (data + 2 * output) * question.placement.threads > most_bytes();
}

Error disagreement(const Case& question) {
  return {Error::Code::backend_failed, "the two oracles disagree about " + to_string(question)};
}

// Answers one concurrent call with both oracles.
Result<Tensor> ask_both(const Case& question, const Tensor& data) {
  auto answer = oracle::tile(question, data);
  if (!answer && answer.error().code == Error::Code::out_of_memory) return answer;
  const auto second = second::tile_by_copies(question, data);
  if (!second && second.error().code == Error::Code::out_of_memory) return second.error();
  if (!answer || !second || *answer != *second) return disagreement(question);
  return answer;
}

// Compares the rulings of both oracles, without elements.
Result<Expectation> expect_ruling(const Case& question, const oracle::Ruling& ruling) {
  const oracle::Promoted* tiling = oracle::promoted(ruling);
  const oracle::Open* open = std::get_if<oracle::Open>(&ruling);
  const auto second = second::shape_by_copies(question);
  const bool agree = tiling != nullptr
                         ? second && tiling->output == second->shape && (open != nullptr) == second->is_open
                         : !second;
  if (!agree) return disagreement(question);
  // A refusal comes first, because it does not depend on anything that the texts leave open.
  if (const auto* refusal = std::get_if<oracle::Refusal>(&ruling))
    return Expectation(Reject{refusal->clause, refusal->role, refusal->why});
  if (open != nullptr) return Expectation(Unspecified{open->clause, tiling->output});
  return Expectation(Answer{tiling->output, {}});
}

// Returns true for an answer of more than 24 MiB that can be cut at any element.
bool is_taken_in_pieces(const Case& question, const Shape& output) {
  constexpr std::uint64_t most_held = std::uint64_t{24} << 20;
  const ElementType type = question.data.type();
  if (type == ElementType::string || is_packed(type) || question.placement.threads > 1) return false;
  const auto count = element_count(output);
  const auto size = count ? byte_size(type, *count) : std::nullopt;
  return size && *size > most_held;
}

// Compares the oracles piece by piece, and keeps no element.
Result<Expectation> expect_in_pieces(const Case& question, const oracle::Promoted& tiling) {
  auto expected = expect_ruling(question, tiling);
  const Pieces pieces(question, tiling);
  for (std::int64_t number = 0; expected && number < pieces.count(); ++number) {
    const Pieces::Piece piece = pieces.at(number);
    if (const auto answer = ask_both(piece.question, piece.data); !answer) return answer.error();
  }
  if (expected)
    if (auto* answer = std::get_if<Answer>(&*expected)) answer->is_in_pieces = true;
  return expected;
}

// Compares the shapes of both oracles as well, so no other function must.
Result<Answer> elements_of(const Case& question, std::vector<Tensor>& filled) {
  Answer expected;
  for (int thread = 0; thread < question.placement.threads; ++thread) {
    filled.push_back(data_of(question, thread));
    TRY(auto answer, ask_both(question, filled.back()));
    expected.shape = answer.shape();
    expected.tensors.push_back(std::move(answer));
  }
  return expected;
}

}  // namespace

double estimated_bytes(const Case& question) {
  const long double bytes = traits_of(question).elements * bits(question.data.type()) / 8;
  return static_cast<double>(bytes * question.placement.threads);
}

bool is_small(const Case& question) {
  constexpr double small_bytes = 0x1p24;
  return estimated_bytes(question) < small_bytes;
}

bool may_have_a_large_answer(const Case& question) {
  return !question.placement.shape_only && !is_small(question);
}

Result<Expectation> expect_shape(const Case& question) {
  return expect_ruling(question, oracle::promote(question));
}

Result<Expectation> expect(const Case& question) {
  std::vector<Tensor> filled;
  return expect(question, filled);
}

Result<Expectation> expect(const Case& question, std::vector<Tensor>& filled) {
  const oracle::Ruling ruling = oracle::promote(question);
  const auto* tiling = std::get_if<oracle::Promoted>(&ruling);
  if (question.placement.shape_only || tiling == nullptr) return expect_ruling(question, ruling);
  if (is_too_large(question, tiling->output)) {
    const auto shape = expect_ruling(question, ruling);
    return shape ? too_large() : shape.error();
  }
  try {
    if (is_taken_in_pieces(question, tiling->output)) return expect_in_pieces(question, *tiling);
    auto answer = elements_of(question, filled);
    return answer ? Result<Expectation>(Expectation(*std::move(answer))) : answer.error();
  } catch (const std::bad_alloc&) {
    return too_large();
  }
}

Result<Answer> whole_answer(const Case& question) {
  try {
    std::vector<Tensor> filled;
    return elements_of(question, filled);
  } catch (const std::bad_alloc&) {
    return too_large();
  }
}

}  // namespace certile::conformance
