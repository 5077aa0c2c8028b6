#include "reference/values/literal_options.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace certile {
namespace {

// A fill that needs no seed, as a literal spells it.
struct FillWord {
  Fill::Kind kind;
  std::string_view word;
};
constexpr std::array fill_words{FillWord{Fill::Kind::special, "special"}, FillWord{Fill::Kind::zero, "zero"},
                                FillWord{Fill::Kind::lengthy, "long"}, FillWord{Fill::Kind::brief, "short"}};

Result<std::uint64_t> take_seed(LiteralScanner& scanner) {
  return scanner.take_integer("a seed", 0, std::numeric_limits<std::uint64_t>::max());
}

Result<int> take_offset(LiteralScanner& scanner, ElementType type) {
  constexpr std::uint64_t most = 63;
  const std::size_t begin = scanner.position();
  const Result<std::uint64_t> offset = scanner.take_integer("an offset", 0, most);
  if (!offset) return offset.error();
  const std::uint64_t width = is_packed(type) ? 1 : static_cast<std::uint64_t>(bits(type)) / 8;
  if (*offset % width != 0)
    return LiteralScanner::at(begin, "the offset " + std::to_string(*offset) + " is not a multiple of the " +
                                         std::to_string(width) + " bytes of " + std::string(name(type)));
  return static_cast<int>(*offset);
}

// The items that were spelled out, with any value.
struct Spelled {
  bool guard = false, infer = false, offset = false, output = false, threads = false, calls = false;
};

// Marks an item as spelled; returns an Error if it was marked before.
Result<Done> mark(bool& spelled, std::string_view item, std::size_t begin) {
  if (spelled) return LiteralScanner::at(begin, std::string(item) + " is said twice");
  spelled = true;
  return Done{};
}

Result<Done> take_item(LiteralScanner& scanner, ElementType type, Placement& placement, Spelled& spelled) {
  const std::size_t begin = scanner.position();
  if (scanner.take("guard=")) {
    if (scanner.take("after")) {
      placement.guard = Placement::Guard::after;
    } else if (scanner.take("before")) {
      placement.guard = Placement::Guard::before;
    } else {
      return scanner.expected("after or before");
    }
    return mark(spelled.guard, "guard", begin);
  }
  if (scanner.take("infer")) {
    placement.shape_only = true;
    return mark(spelled.infer, "infer", begin);
  }
  if (scanner.take("offset=")) {
    const Result<int> offset = take_offset(scanner, type);
    if (!offset) return offset.error();
    placement.offset = *offset;
    return mark(spelled.offset, "offset", begin);
  }
  if (scanner.take("output=")) {
    const Result<int> offset = take_offset(scanner, type);
    if (!offset) return offset.error();
    placement.output_offset = *offset;
    return mark(spelled.output, "output", begin);
  }
  if (scanner.take("threads=")) {
    const Result<std::uint64_t> threads = scanner.take_integer("a number of threads", 1, most_threads);
    if (!threads) return threads.error();
    placement.threads = static_cast<int>(*threads);
    return mark(spelled.threads, "threads", begin);
  }
  if (scanner.take("calls=")) {
    const Result<std::uint64_t> calls = scanner.take_integer("a number of calls", 1, most_calls);
    if (!calls) return calls.error();
    placement.calls = static_cast<int>(*calls);
    return mark(spelled.calls, "calls", begin);
  }
  return scanner.expected("calls=, guard=, infer, offset=, output= or threads=");
}

}  // namespace

Result<Fill> take_fill(LiteralScanner& scanner) {
  Fill fill;
  if (scanner.take("index")) return fill;
  if (scanner.take("bits:")) {
    fill.kind = Fill::Kind::bits;
  } else {
    const auto* const found =
        std::ranges::find_if(fill_words, [&](const FillWord& each) { return scanner.take(each.word); });
    if (found == fill_words.end())
      return scanner.expected(
          "index, bits:SEED, special, special:SEED, zero, zero:SEED, long, long:SEED, "
          "short or short:SEED");
    fill.kind = found->kind;
    if (!scanner.take(':')) return fill;
  }
  const Result<std::uint64_t> seed = take_seed(scanner);
  if (!seed) return seed.error();
  fill.seed = *seed;
  return fill;
}

Result<Placement> take_placement(LiteralScanner& scanner, ElementType type) {
  Placement placement;
  Spelled spelled;
  do {
    const std::size_t begin = scanner.position();
    const Result<Done> taken = take_item(scanner, type, placement, spelled);
    if (!taken) return taken.error();
    if (spelled.guard && (spelled.offset || spelled.output))
      return LiteralScanner::at(
          begin, std::string("guard and ") + (spelled.offset ? "offset" : "output") + " exclude each other");
    if (spelled.calls && (spelled.threads || spelled.infer))
      return LiteralScanner::at(
          begin, std::string("calls and ") + (spelled.threads ? "threads" : "infer") + " exclude each other");
  } while (scanner.take(','));
  if (placement.output_offset == placement.offset) placement.output_offset.reset();
  return placement;
}

void append_fill(std::string& text, const Fill& fill) {
  if (fill.kind == Fill::Kind::index) return;
  const auto* const found = std::ranges::find(fill_words, fill.kind, &FillWord::kind);
  const bool is_bits = found == fill_words.end();
  text += " fill=";
  text += is_bits ? "bits" : found->word;
  if (is_bits || fill.seed != 0) text += ':' + std::to_string(fill.seed);
}

void append_placement(std::string& text, const Placement& placement) {
  char separator = '@';
  const auto item = [&](std::string_view words) {
    if (separator == '@') text += ' ';
    text += separator;
    text += words;
    separator = ',';
  };
  if (placement.calls != 1) item("calls=" + std::to_string(placement.calls));
  if (placement.guard == Placement::Guard::after) item("guard=after");
  if (placement.guard == Placement::Guard::before) item("guard=before");
  if (placement.shape_only) item("infer");
  if (placement.offset != 0) item("offset=" + std::to_string(placement.offset));
  if (placement.output_offset) item("output=" + std::to_string(*placement.output_offset));
  if (placement.threads != 1) item("threads=" + std::to_string(placement.threads));
}

}  // namespace certile
