#include "conformance/plan/order.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "conformance/plan/witnesses.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/embedded.hpp"
#include "reference/values/mix.hpp"

namespace certile::conformance {

std::span<const EmbeddedFile> embedded_weights();

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

Result<Weights> parse_weights(std::string_view text, const std::string& named) {
  Weights weights{};
  std::uint64_t sum = 0, rows = 0;
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(row.size() + 1, text.size()));
    row = row.substr(0, row.find('#'));
    row = row.substr(0, row.find_last_not_of(' ') + 1);
    if (row.empty()) continue;
    const std::size_t space = std::min(row.find(' '), row.size());
    const auto generator = generator_named(row.substr(0, space));
    const std::string_view digits = row.substr(std::min(space + 1, row.size()));
    std::uint32_t weight = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), weight);
    constexpr std::uint32_t most = 1'000'000;
    const bool is_weight =
        read.ec == std::errc() && read.ptr == digits.data() + digits.size() && weight >= 1 && weight <= most;
    if (!generator || !is_weight)
      return Error{Error::Code::bad_literal, named + ":" + std::to_string(line) +
                                                 ": a generator and a weight from 1 to 1000000 are needed"};
    std::uint32_t& place = weights.of[static_cast<std::size_t>(*generator)];
    if (place != 0)
      return Error{Error::Code::bad_literal, named + ":" + std::to_string(line) + ": " +
                                                 std::string(name(*generator)) + " has a weight already"};
    place = weight;
    sum += weight;
    ++rows;
  }
  const std::uint64_t mean = rows == 0 ? 1 : std::max<std::uint64_t>(sum / rows, 1);
  for (std::uint32_t& weight : weights.of)
    if (weight == 0) weight = static_cast<std::uint32_t>(mean);
  return weights;
}

const Weights& built_in_weights() {
  static const Weights weights = [] {
    return *parse_weights(embedded_weights().front().text, "weights.txt");  // a test reads the file
  }();
  return weights;
}

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

void put_most_telling_first(std::vector<PlannedCase>& cases, const Weights& weights) {
  std::vector<Sequence> sequences = sequences_of(cases);
  sort_within_generators(sequences);
  // The place of a sequence is that of its middle, if those of its generator come at even distances.
  const auto place = [&weights](const Sequence& each) {
    return (static_cast<double>(each.turn) + 0.5) / weights[each.generator];
  };
  std::ranges::sort(sequences, {}, [&](const Sequence& each) {
    const bool is_given = each.generator == Generator::given;
    return std::tuple(is_given, is_given || !each.is_witness,
                      is_given ? static_cast<double>(each.begin) : place(each), each.generator, each.turn);
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
