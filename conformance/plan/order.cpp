#include "conformance/plan/order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/plan/corpus.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {

namespace {

// A sequence of cases that are asked together, in this order.
struct Sequence {
  std::size_t begin = 0, end = 0;  // in the plan
  Generator generator{};
  Cell cell;
  std::uint64_t hash = 0;
  bool is_witness = false;  // or has one
  std::size_t turn = 0;     // its place within its cell, then within its generator
};

std::uint64_t hash_of(std::string_view literal) noexcept {
  std::uint64_t hash = 0;
  for (const char each : literal)
    hash = mix(hash ^ static_cast<unsigned char>(each));
  return hash;
}

std::vector<Sequence> sequences_of(const std::vector<PlannedCase>& cases) {
  std::vector<Sequence> sequences;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const PlannedCase& planned = cases[index];
    const bool continues =
        planned.follows && !sequences.empty() && sequences.back().generator == planned.generator;
    const bool is_one = is_witness(planned.literal);
    if (continues) {
      sequences.back().end = index + 1;
      sequences.back().is_witness = sequences.back().is_witness || is_one;
    } else {
      sequences.push_back({index, index + 1, planned.generator, cell_of(planned.question()),
                           hash_of(planned.literal), is_one, 0});
    }
  }
  return sequences;
}

// Sorts by generator, and numbers the sequences of each in the order in which they are asked: the first of
// each cell, the second of each, and so on.
void sort_within_generators(std::vector<Sequence>& sequences) {
  const auto number = [&sequences](auto key) {
    for (std::size_t index = 0; index < sequences.size(); ++index)
      sequences[index].turn =
          index > 0 && key(sequences[index - 1]) == key(sequences[index]) ? sequences[index - 1].turn + 1 : 0;
  };
  const auto by_cell = [](const Sequence& each) { return std::tuple(each.generator, each.cell); };
  std::ranges::sort(sequences, {}, [&](const Sequence& each) {
    return std::tuple_cat(by_cell(each), std::tuple(each.hash, each.begin));
  });
  number(by_cell);
  std::ranges::sort(sequences, {}, [](const Sequence& each) {
    return std::tuple(each.generator, each.turn, each.hash, each.begin);
  });
  number([](const Sequence& each) { return each.generator; });
}

}  // namespace

Cell cell_of(const Case& question) {
  const ElementType type = question.data.type();
  Cell cell{question.definition, 6, 0};
  if (type != ElementType::string) {
    cell.width = 0;
    for (int width = bits(type); width >= 8; width /= 2)
      ++cell.width;
  }
  const auto shape = oracle::output_shape(question);
  if (!shape) return cell;
  constexpr std::int64_t small = 256, medium = std::int64_t{64} << 10;
  const auto count = element_count(*shape);
  const std::int64_t element = std::max(bits(type) / 8, 1);
  const std::int64_t bytes = count && *count <= INT64_MAX / element ? *count * element : INT64_MAX;
  cell.size = bytes == 0 ? 1 : bytes <= small ? 2 : bytes <= medium ? 3 : 4;
  return cell;
}

void put_most_telling_first(std::vector<PlannedCase>& cases) {
  std::vector<Sequence> sequences = sequences_of(cases);
  sort_within_generators(sequences);
  std::ranges::sort(sequences, {}, [](const Sequence& each) {
    const bool is_given = each.generator == Generator::given;
    return std::tuple(is_given, is_given || !each.is_witness, is_given ? each.begin : each.turn,
                      each.generator, each.turn);
  });
  std::vector<PlannedCase> ordered;
  ordered.reserve(cases.size());
  for (const Sequence& each : sequences)
    for (std::size_t index = each.begin; index < each.end; ++index)
      ordered.push_back(std::move(cases[index]));
  cases = std::move(ordered);
}

void keep_first(std::vector<PlannedCase>& cases, std::int64_t count) {
  std::vector<PlannedCase> kept;
  for (std::size_t begin = 0, end = 0; begin < cases.size(); begin = end) {
    end = begin + 1;
    const bool is_given = cases[begin].generator == Generator::given;
    while (!is_given && end < cases.size() && cases[end].follows &&
           cases[end].generator == cases[begin].generator)
      ++end;
    const auto size = static_cast<std::int64_t>(end - begin);
    if (!is_given && size > count) continue;
    if (!is_given) count -= size;
    for (std::size_t index = begin; index < end; ++index)
      kept.push_back(std::move(cases[index]));
  }
  cases = std::move(kept);
}

}  // namespace certile::conformance
