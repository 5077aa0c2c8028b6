#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"

namespace certile::conformance {
namespace {

// Returns tilings of a row of n elements: alone, copied, one of several, and one element copied n times.
std::vector<Form> forms_of(std::int64_t n) {
  return {
      {{n}, {1}},       {{n}, {2}},
      {{n}, {3}},       {{n}, {5}},
      {{3, n}, {1, 1}}, {{3, n}, {5, 1}},
      {{5, n}, {1, 3}}, {{2, n}, {3, 1}},
      {{3, n}, {2, 5}}, {{2, 3, n}, {1, 5, 1}},
      {{n, 1}, {1, 3}}, {{n, 3}, {1, 5}},
      {{n, 2}, {5, 3}}, {{3, 1, n}, {1, 7, 2}},
      {{1}, {n}},       {{3}, {n}},
      {{7, 1}, {1, n}}, {{3, 5}, {1, n}},
      {{5, 3}, {n, 1}},
  };
}

std::vector<Form> short_forms_of(std::int64_t n) {
  return {{{n}, {1}}, {{n}, {3}}, {{3, n}, {2, 1}}, {{5, n}, {1, 3}}, {{3}, {n}}};
}

// One less and one more than a few powers of two: past the size of a vector, a cache line and a page.
constexpr std::array<std::int64_t, 22> rows{1,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,
                                            32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};

// Between them: a few and a half vectors, and the lengths for which kernels have hand-written code.
constexpr std::array<std::int64_t, 17> rows_between{2,  6,  10, 12, 20,  24,  28,  40, 48,
                                                    56, 72, 80, 96, 112, 144, 160, 192};

// Returns the largest number of an integer type.
std::uint64_t largest_of(ElementType type) {
  return ~std::uint64_t{0} >> (64 - bits(type) + (is_signed_integer(type) ? 1 : 0));
}

}  // namespace

void add_size_ladder(Sink& sink, Ladder ladder) {
  sink.begin(Generator::size_ladder);
  std::uint64_t number = 0;
  for (const auto& types : sink.scope().widths()) {
    std::vector<std::int64_t> lengths(rows.begin(), rows.end());
    if (ladder == Ladder::whole) {
      const std::int64_t kib = 8192 / bits(types.front());  // elements in a KiB
      for (const std::int64_t length : {kib - 1, kib + 1, 2 * kib + 3, 4 * kib - 1, 4 * kib + 1})
        lengths.push_back(length);
      lengths.insert(lengths.end(), rows_between.begin(), rows_between.end());
    }
    for (std::size_t index = 0; index < lengths.size(); ++index) {
      const std::int64_t length = lengths[index];
      for (const Form& form :
           ladder == Ladder::whole && index < rows.size() ? forms_of(length) : short_forms_of(length)) {
        const std::uint64_t choice = mix(++number);
        Draft draft{.type = types[static_cast<std::size_t>(choice % types.size())],
                    .shape = form.shape,
                    .repeats = form.repeats,
                    .variety = choice >> 32};
        // Random bits in one case of three; otherwise all elements differ.
        if (choice >> 16 & 1) draft.fill = {Fill::Kind::bits, number};
        sink.add(draft);
      }
    }
  }
}

void add_blocks(Sink& sink, std::size_t max_rank) {
  sink.begin(Generator::blocks);
  // Every axis is long and often repeated, so that an output in blocks has inner blocks and some at each
  // edge.
  const std::vector<Form> forms{
      {{16, 16}, {4, 4}},     {{17, 33}, {5, 4}},       {{16, 64}, {4, 4}},           {{64, 20}, {6, 9}},
      {{9, 8, 7}, {4, 5, 6}}, {{2, 17, 16}, {3, 4, 5}}, {{3, 4, 5, 6}, {2, 3, 4, 5}},
  };
  std::uint64_t number = 0;
  for (const auto& types : sink.scope().widths())
    for (const Form& form : forms) {
      if (form.shape.size() > max_rank) continue;
      ++number;
      sink.add(Draft{.type = types[number % types.size()],
                     .shape = form.shape,
                     .repeats = form.repeats,
                     .fill = revealing_fill(number),
                     .variety = number});
    }
}

void add_long_strings(Sink& sink) {
  sink.begin(Generator::long_strings);
  const Scope& scope = sink.scope();
  if (std::ranges::find(scope.types(), ElementType::string) == scope.types().end()) return;
  for (const std::size_t size :
       {std::size_t{257}, std::size_t{1025}, std::size_t{1900}}) {  // and a literal ends
    Case question = spelled_case(scope.definition(), ElementType::string, {2}, ElementType::i64, {"2"});
    const std::vector<std::string> strings{std::string(size, 'a'), std::string(size - 1, 'a') + 'b'};
    question.data = Tensor::of_strings({2}, strings);
    sink.add(question);
  }
}

bool add_many_characters(Sink& sink) {
  sink.begin(Generator::long_strings);
  const auto& types = sink.scope().types();
  if (std::ranges::find(types, ElementType::string) == types.end()) return false;
  // The longest of the lengthy ones; more strings in a row than a small stack has room for; and one more than
  // 16 bits count.
  sink.add(
      Draft{.type = ElementType::string, .shape = {1}, .repeats = {2}, .fill = {Fill::Kind::lengthy, 7}});
  for (const Shape& shape : {Shape{1, 70'001}, Shape{2, 70'003}, Shape{1, 65'537}})
    sink.add(Draft{.type = ElementType::string, .shape = shape, .repeats = {3 - shape[0], 2}});
  // As many strings with few characters in all, which have room where those of longer ones have none.
  for (const Form& form : {Form{{65'537}, {1}}, Form{{1, 65'539}, {2, 1}}, Form{{3, 30'001}, {1, 2}}})
    sink.add(Draft{.type = ElementType::string,
                   .shape = form.shape,
                   .repeats = form.repeats,
                   .fill = {Fill::Kind::brief, 1}});
  return true;
}

void add_counts(Sink& sink, std::int64_t most) {
  sink.begin(Generator::counts);
  std::vector<ElementType> bytes;
  for (const ElementType type : sink.scope().types())
    if (bits(type) == 8) bytes.push_back(type);
  if (bytes.empty()) bytes.push_back(sink.scope().types().front());  // onnx-tile-1 has no type of one byte

  std::uint64_t number = 0;
  for (const std::int64_t count : {2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 65535, 65536, 65537}) {
    if (count > most) break;
    const std::vector<Form> forms{
        {{1}, {count}},
        {{3}, {count}},
        {{3, 2}, {count, 1}},
        {{2, 3}, {1, count}},
        {{2, 1, 3}, {1, count, 1}},
        {{count}, {1}},
        {{count}, {3}},
        {{count, 2}, {1, 3}},
        {{3, count}, {2, 1}},
        {{1, count}, {5, 1}},
        {{count, 1}, {1, 3}},
    };
    for (const Form& form : forms) {
      // Small counts for every type; large ones for one type each, because their outputs are large.
      const std::size_t turns = count <= 257 ? bytes.size() : 1;
      for (std::size_t turn = 0; turn < turns; ++turn, ++number)
        sink.add(Draft{.type = bytes[number % bytes.size()],
                       .shape = form.shape,
                       .repeats = form.repeats,
                       .fill = revealing_fill(number),
                       .variety = number});
    }
  }
}

void add_large_narrow_repeats(Sink& sink, const std::vector<std::size_t>& lengths) {
  sink.begin(Generator::repeats_extremes);
  const Scope& scope = sink.scope();
  if (has_axis(scope.definition())) return;
  for (const ElementType type : scope.repeats_types()) {
    if (bits(type) > 32 || bits(type) < 8) continue;
    const std::uint64_t half = largest_of(type) / 2 + 1;
    for (const std::size_t length : lengths)
      for (const std::size_t place : std::set{std::size_t{0}, length / 2, length - 1}) {
        std::vector<std::string> repeats(length, "1");
        repeats[place] = std::to_string(half);
        Shape shape(length, 1);
        shape.back() = 2;
        Case question = spelled_case(scope.definition(), scope.types().front(), shape, type, repeats);
        question.placement.shape_only = bits(type) > 16;  // no output is that large
        sink.add(question);
      }
  }
}

void add_repeats_extremes(Sink& sink) {
  sink.begin(Generator::repeats_extremes);
  const Scope& scope = sink.scope();
  for (const ElementType type : scope.repeats_types()) {
    if (is_real(type)) continue;  // tiles of the data's type are in the definition's own corpus
    const int width = bits(type);
    const bool is_signed = is_signed_integer(type);
    const std::uint64_t largest = largest_of(type);
    std::vector<std::string> values{"0", "1", std::to_string(largest)};
    if (is_signed) {
      values.push_back("-1");
      values.push_back("-" + std::to_string(largest));
      values.push_back("-" + std::to_string(largest + 1));
    }
    for (const std::string& value : values)
      for (const Shape& shape : {Shape{}, Shape{1}, Shape{3}, Shape{0}}) {
        if (shape.empty() && has_axis(scope.definition())) continue;
        Case question = spelled_case(scope.definition(), scope.types().front(), shape, type, {value});
        // Counts of more than 16 bits are too large to make, so only the shape is asked for, even of refused
        // cases.
        question.placement.shape_only = width > 16 && value.size() > 2;
        sink.add(question);
      }
  }
}

}  // namespace certile::conformance
