#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "conformance/plan/tiers/kernel_cases.hpp"

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
constexpr std::array<std::int64_t, 22> rows_at_powers{1,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,
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
    std::vector<std::int64_t> lengths(rows_at_powers.begin(), rows_at_powers.end());
    if (ladder == Ladder::whole) {
      const std::int64_t kib = 8192 / bits(types.front());  // elements in a KiB
      for (const std::int64_t length : {kib - 1, kib + 1, 2 * kib + 3, 4 * kib - 1, 4 * kib + 1})
        lengths.push_back(length);
      lengths.insert(lengths.end(), rows_between.begin(), rows_between.end());
    }
    for (std::size_t index = 0; index < lengths.size(); ++index) {
      const std::int64_t length = lengths[index];
      for (const Form& form : ladder == Ladder::whole && index < rows_at_powers.size()
                                  ? forms_of(length)
                                  : short_forms_of(length)) {
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

void add_large(Sink& sink) {
  sink.begin(Generator::large);
  // The narrowest types: one of whole bytes, and a packed one that passes 2^32 elements within half a
  // gigabyte or two.
  std::vector<ElementType> narrow;
  for (const auto& types : sink.scope().widths())
    if (bits(types.front()) <= 8) narrow.push_back(types.back());
  if (narrow.empty()) narrow.push_back(sink.scope().types().front());

  for (const ElementType type : narrow) {
    const auto ask = [&](Shape shape, Shape repeats) {
      sink.add(Draft{.type = type, .shape = std::move(shape), .repeats = std::move(repeats)});
    };
    ask({65536, 1}, {1, 32767});   // its last row ends below 2^31
    ask({65536, 1}, {1, 32769});   // 2^31 elements and 65,536 more
    ask({65539, 3}, {10923, 1});   // 2^31 and a little, by whole blocks
    ask({3, 7}, {1, 102261127});   // by short rows
    ask({65537}, {65537});         // 2^32 elements and 131,073 more
    ask({3, 1431655777}, {1, 1});  // 2^32 and a little, nothing repeated
  }
}

namespace {

// The lengths of rows in models, none of which is near a power of two, and counts beyond a table's size.
constexpr std::array<std::int64_t, 18> lengths_of_models{150, 200, 224,  300,  320,  384,  448,  500,  512,
                                                         640, 768, 1000, 1024, 1280, 1536, 2048, 3072, 4096};

// The sizes of vocabularies, and the sides of images.
constexpr std::array<std::int64_t, 6> vocabularies{30'522, 32'000, 50'257, 50'304, 128'256, 151'936};
constexpr std::array<std::int64_t, 8> sides_of_images{28, 32, 96, 224, 256, 299, 384, 512};

std::uint64_t one_in(Lengths lengths, std::uint64_t every) {
  return lengths == Lengths::every ? every : every * 8;
}

// Adds a row of the length: repeated, one of several in front of repeated ones, and as it is.
void add_row(KernelCases& kernel, int width, std::int64_t length, std::uint64_t number) {
  const auto copies = static_cast<std::int64_t>(2 + mix(number) % 9);
  const bool is_high = mix(number) / 128 % 8 == 0;
  const auto rows = static_cast<std::int64_t>((is_high ? 33 : 2) + mix(number) / 16 % 6);
  const Fill fill = revealing_fill(number);
  switch (number % 4) {
    case 0:
      return kernel.add(width, {.shape = {length}, .repeats = {copies}, .fill = fill});
    case 1:
      return kernel.add(width, {.shape = {rows, length}, .repeats = {1, copies}, .fill = fill});
    case 2:
      return kernel.add(width, {.shape = {rows, length}, .repeats = {copies, 1}, .fill = fill});
    default:
      return kernel.add(width, {.shape = {rows, 1, length}, .repeats = {1, copies, 1}, .fill = fill});
  }
}

// Adds many rows of up to 16 bytes with each count of up to 16 copies, for which kernels have tables.
void add_short_rows(KernelCases& kernel, int width) {
  std::uint64_t number = static_cast<std::uint64_t>(width) * 1000;
  for (std::int64_t length = 1; length <= 128 / width; ++length)
    for (std::int64_t copies = 2; copies <= 16; ++copies) {
      const auto rows = static_cast<std::int64_t>(1030 + mix(++number) % 64);
      kernel.add(
          width,
          {.shape = {rows, length}, .repeats = {1, copies}, .fill = {Fill::Kind::bits, number % 1000}});
    }
}

// Adds one row more than powers of two count, longer than kernels copy in registers, so that a device is
// given one command for several of them; a command counts them in few bits.
void add_many_long_rows(KernelCases& kernel, int width, int most_bits) {
  for (int bits = 8; bits <= most_bits; ++bits) {
    const std::uint64_t number =
        mix(static_cast<std::uint64_t>(width) * 100 + static_cast<std::uint64_t>(bits));
    const std::int64_t rows = (std::int64_t{1} << bits) + 1;
    const auto length = static_cast<std::int64_t>(256 + number % 100) * 8 / width;
    const Fill fill{Fill::Kind::bits, number % 1000};
    if (bits % 2 == 0)
      kernel.add(width, {.shape = {rows, length}, .repeats = {1, 2}, .fill = fill});
    else
      kernel.add(width, {.shape = {rows, 1, length}, .repeats = {2, 2, 1}, .fill = fill});
  }
}

// Adds two rows whose repeats together are a little longer than a power of two: the distance in the output,
// which a command may count in fewer bits than the distance in the data needs.
void add_distant_rows(KernelCases& kernel, int width, int most_bits) {
  for (int bits = 15; bits <= most_bits; ++bits) {
    const std::uint64_t number =
        mix(static_cast<std::uint64_t>(width) * 200 + static_cast<std::uint64_t>(bits));
    const auto length = static_cast<std::int64_t>(256 + number % 100);
    kernel.add(width, {.shape = {2, length},
                       .repeats = {1, (std::int64_t{1} << bits) / length + 1},
                       .fill = {Fill::Kind::bits, number % 1000}});
  }
}

// Adds packed rows of a little more than 2^20 bits, which begin at each bit of a byte.
void add_long_packed_rows(KernelCases& kernel, int width) {
  const std::int64_t length = (std::int64_t{1} << 20) / width + 1;
  const Fill fill{Fill::Kind::bits, static_cast<std::uint64_t>(width)};
  kernel.add(width, {.shape = {2, length}, .repeats = {1, 3}, .fill = fill});
  kernel.add(width, {.shape = {3, length + 1}, .repeats = {2, 1}, .fill = fill});
}

void add_model_sizes(KernelCases& kernel, int width) {
  std::uint64_t number = static_cast<std::uint64_t>(width);
  for (const std::int64_t length : vocabularies)
    kernel.add(width, {.shape = {2, length}, .repeats = {1, 2}, .fill = revealing_fill(++number)});
  for (const std::int64_t side : sides_of_images) {
    kernel.add(width, {.shape = {side, side}, .repeats = {2, 1}, .fill = revealing_fill(++number)});
    kernel.add(width, {.shape = {3, side, side}, .repeats = {1, 1, 2}, .fill = revealing_fill(++number)});
  }
}

}  // namespace

void add_lengths(KernelCases& kernel, Lengths lengths) {
  kernel.begin(Generator::lengths);
  std::uint64_t number = 0;
  for (const int width : kernel.widths()) {
    // Every length of a row up to 300 bytes and 200 elements, of types of one byte and less to 300 elements.
    const std::int64_t longest = width <= 8 ? 300 : 200;
    for (std::int64_t length = 1; length <= longest; ++length)
      for (int form = 0; form < 4; ++form)
        if (mix(++number) % one_in(lengths, 1) == 0) add_row(kernel, width, length, number);
    // Every period of up to 16 bytes, or bits, with every count of copies.
    const std::int64_t most = width <= 8 ? 16 : 128 / width;
    for (std::int64_t period = 1; period <= most; ++period)
      for (std::int64_t copies = 2; copies <= 130; ++copies)
        if (mix(++number) % one_in(lengths, 1) == 0) {
          const bool is_alone = number % 3 == 0;
          kernel.add(width, {.shape = is_alone ? Shape{period} : Shape{3, period},
                             .repeats = is_alone ? Shape{copies} : Shape{1, copies},
                             .fill = revealing_fill(number)});
        }
    // Rows of up to 256 bytes with up to 70 copies, one pair in several.
    const std::int64_t widest = std::max<std::int64_t>(8 * 256 / width / (width < 8 ? 8 : 1), 1);
    for (std::int64_t length = 1; length <= widest; ++length)
      for (std::int64_t copies = 2; copies <= 70; ++copies)
        if (mix(++number) % one_in(lengths, 6) == 0)
          kernel.add(width, {.shape = {number % 4 == 0 ? 34 : 2, length},
                             .repeats = {1, copies},
                             .fill = revealing_fill(number)});
    for (const std::int64_t length : lengths_of_models)
      for (int form = 0; form < 4; ++form)
        if (mix(++number) % one_in(lengths, 1) == 0) {
          add_row(kernel, width, length, number);
          kernel.add(width, {.shape = {2, 3, 1}, .repeats = {1, 1, length}, .fill = revealing_fill(number)});
        }
    if (lengths == Lengths::every && width >= 8) add_short_rows(kernel, width);
    if (lengths == Lengths::every && width < 8) add_long_packed_rows(kernel, width);
    if (width == 8) {
      add_many_long_rows(kernel, width, lengths == Lengths::every ? 16 : 12);
      add_distant_rows(kernel, width, lengths == Lengths::every ? 24 : 20);
    }
    if (width == 32 && lengths == Lengths::every) add_many_long_rows(kernel, width, 14);
    if (lengths == Lengths::every && (width == 8 || width == 32)) add_model_sizes(kernel, width);
    // Between the powers of two, where no other generator has a length.
    for (int draw = 0; draw < 24; ++draw)
      if (const auto length = static_cast<std::int64_t>(300 + mix(++number) % 16'000);
          mix(number + 1) % one_in(lengths, 1) == 0)
        add_row(kernel, width, length, number);
  }
}

namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;

// Returns tilings with an output of a little more than `count` elements, one for each way of copying.
std::vector<Form> with_output_of(std::int64_t count) {
  return {
      {{5, count / 15 + 1}, {1, 3}},               // few long rows, each copied
      {{3, count / 6 + 1}, {2, 1}},                // all of the data, twice
      {{count / 105 + 1, 7}, {5, 3}},              // many short rows
      {{3, count / 84 + 1, 4}, {1, 7, 1}},         // blocks in the middle, copied seven times
      {{count / 33 + 1, 1, 3}, {1, 11, 1}},        // many small blocks, copied
      {{3, 11, 1}, {1, 1, count / 33 + 1}},        // one element, often
      {{count + 3}, {1}},                          // nothing is repeated
      {{2, 3, count / 120 + 1, 5}, {2, 1, 2, 1}},  // two ways at once
  };
}

// Returns tilings with data of a little more than `count` elements, repeated.
std::vector<Form> with_data_of(std::int64_t count) {
  return {
      {{count + 1}, {2}},
      {{3, count / 3 + 1}, {2, 1}},
      {{count / 3 + 1, 3}, {1, 2}},
      {{2, count / 2 + 1}, {1, 2}},
  };
}

}  // namespace

void add_packed_mebibyte(KernelCases& kernel, std::int64_t number) {
  constexpr std::int64_t least = 2 * mib - 8'000;  // elements of half a byte
  kernel.begin(Generator::thresholds);
  kernel.add(4, {.shape = {least + number}, .repeats = {2}, .fill = {Fill::Kind::bits, 1}});
}

void add_large_fills(KernelCases& kernel) {
  kernel.begin(Generator::thresholds);
  for (const int width : {8, 16, 32, 64})
    for (const std::int64_t bytes : {8 * mib, 16 * mib})
      kernel.add(width, {.shape = {1},
                         .repeats = {bytes * 8 / width + 5},
                         .fill = {Fill::Kind::bits, static_cast<std::uint64_t>(width)}});
}

void add_thresholds(KernelCases& kernel, std::int64_t most) {
  kernel.begin(Generator::thresholds);
  constexpr std::array rungs{32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib,
                             1 * mib,  2 * mib,  4 * mib,   8 * mib,   16 * mib,
                             20 * mib, 32 * mib, 64 * mib,  128 * mib, 256 * mib};
  // Packed elements are taken apart and put together one by one, by kernels and by certile.
  const std::int64_t most_of_packed = std::min(most / 8, 256 * kib);
  // A packed row that is unpacked whole may not fit the stack.
  if (most > 8 * mib)
    kernel.add(4, {.shape = {4 * mib + 300'001}, .repeats = {2}, .fill = {Fill::Kind::bits, 1}});
  std::uint64_t number = 0;
  int rung = 0;
  for (const std::int64_t bytes : rungs) {
    if (bytes > most) break;
    ++rung;
    const bool is_large = bytes > 8 * mib;
    // Small outputs come in all widths, large ones, which cost more, in fewer and in fewer forms.
    const std::size_t forms_for_each = bytes <= 256 * kib ? 8 : bytes <= mib ? 4 : bytes <= 4 * mib ? 2 : 1;
    for (const int width : kernel.widths()) {
      const bool is_rare = width != 8 && width != 32 && width != 64;
      if ((width < 8 && bytes > most_of_packed) || (is_rare && bytes > mib)) continue;
      if (bytes > 20 * mib && width == 64) continue;
      if (bytes > 64 * mib && width == 32) continue;
      const std::int64_t count = bytes * 8 / width;
      for (std::size_t turn = 0; turn < (width < 8 ? 2 : forms_for_each); ++turn) {
        const auto outputs = with_output_of(count);
        const Form& form = outputs[(number + turn * 3) % outputs.size()];
        kernel.add(width, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(++number)});
      }
      // A kernel that computes with elements changes only some: negative zeros, NaN, subnormal numbers.
      if ((width == 32 && bytes <= 20 * mib) || (!is_large && (width == 16 || width == 64)))
        kernel.add_real(width, {.shape = {3, count / 6 + 1},
                                .repeats = {2, 1},
                                .fill = {Fill::Kind::special, static_cast<std::uint64_t>(width)}});
      // Zeros may be taken for what the output has already.
      if (!is_large && (width == 8 || width == 32))
        kernel.add(width, {.shape = {count / 2}, .repeats = {2}, .fill = {Fill::Kind::zero, 0}});
      // A short pattern has a period that no power of two is a multiple of, and a count that a float rounds.
      const auto add_period = [&](std::int64_t period) {
        kernel.add(width,
                   {.shape = {period}, .repeats = {count / period + 1}, .fill = revealing_fill(number)});
      };
      if (width >= 8 && !is_large) add_period(4 + static_cast<std::int64_t>(number % 10));
      // So is the number of millions of short rows.  Large outputs are one or the other in turn.
      if (width == 8 && bytes <= 20 * mib && (!is_large || rung % 2 == 1)) add_period(3);
      if (width == 8 && bytes > mib && bytes <= 20 * mib && (!is_large || rung % 2 == 0))
        kernel.add(width,
                   {.shape = {7, 2}, .repeats = {count / 28 + 1, 2}, .fill = revealing_fill(number + 1)});
      // So has a pattern that is longer than a vector.
      if (width == 8 && bytes >= 4 * mib && bytes <= 16 * mib)
        for (const std::uint64_t turn : {0U, 1U})
          add_period(17 + 2 * static_cast<std::int64_t>(mix(number + turn) % 24));
      // An output that begins between lines has a head, after which a pattern has to be turned; and what a
      // vector makes of one element of it shows in none but a signalling NaN.
      if (!is_rare && bytes <= 4 * mib) {
        const Placement placement{.output_offset = 8 * static_cast<int>(1 + bytes / (32 * kib) % 7)};
        kernel.add(width, {.shape = {256 / width},
                           .repeats = {count * width / 256},
                           .fill = {Fill::Kind::bits, 1},
                           .placement = placement});
        if (width > 8)
          kernel.add_real(
              width,
              {.shape = {1}, .repeats = {count}, .fill = {Fill::Kind::special, 1}, .placement = placement});
      }
      if (bytes <= 4 * mib) {
        const auto data = with_data_of(count);
        const Form& form = data[++number % data.size()];
        kernel.add(width, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(number)});
      }
    }
  }
}

}  // namespace certile::conformance
