#include "bench/run/suite.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/corpus.hpp"
#include "conformance/plan/tiers/random_cases.hpp"
#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/embedded.hpp"

namespace certile::bench {

namespace {

constexpr std::uint64_t tiny_bytes = 4096;
constexpr std::uint64_t short_bytes = 64;

// Returns true for axes of length one that nothing repeats: they affect nothing.
bool is_idle(const oracle::Promoted& tiling, std::size_t axis) {
  return tiling.data[axis] == 1 && tiling.repeats[axis] == 1;
}

// Returns the elements of the longest contiguous run.
std::int64_t run_elements(const oracle::Promoted& tiling) noexcept {
  std::int64_t run = 1;
  for (std::size_t axis = tiling.data.size(); axis-- > 0;) {
    run *= tiling.data[axis];
    if (tiling.repeats[axis] != 1) break;
  }
  return run;
}

// Returns the number of separate repetitions: that of an axis of length one and that of the axis inside it
// are one.
int repeated_groups(const oracle::Promoted& tiling) {
  int groups = 0;
  bool inside_is_repeated = false;
  for (std::size_t axis = tiling.data.size(); axis-- > 0;) {
    if (is_idle(tiling, axis)) continue;
    const bool repeated = tiling.repeats[axis] != 1;
    if (repeated && (!inside_is_repeated || tiling.data[axis] != 1)) ++groups;
    inside_is_repeated = repeated;
  }
  return groups;
}

bool repeats_everything(const oracle::Promoted& tiling) {
  for (std::size_t axis = 0; axis < tiling.data.size(); ++axis)
    if (!is_idle(tiling, axis)) return tiling.repeats[axis] != 1;
  return true;
}

std::uint64_t bytes_of(ElementType type, std::int64_t elements) noexcept {
  return static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(bits(type)) / 8;
}

}  // namespace

std::uint64_t innermost_bytes(ElementType type, const oracle::Promoted& tiling) noexcept {
  return bytes_of(type, run_elements(tiling));
}

std::string_view regime_of(ElementType type, const oracle::Promoted& tiling) {
  const std::int64_t written = element_count(tiling.output).value_or(0);
  const int groups = repeated_groups(tiling);
  if (groups == 0) return "none";
  if (bytes_of(type, written) <= tiny_bytes) return "tiny";
  if (run_elements(tiling) == 1) return "fill";
  if (groups > 1) return "mixed";
  if (innermost_bytes(type, tiling) <= short_bytes) return "short";
  return repeats_everything(tiling) ? "whole" : "rows";
}

Case as_claimed(const Case& question, std::span<const DefinitionId> claimed) {
  // Other definitions have no axis operand.
  if (question.axis || std::ranges::find(claimed, question.definition) != claimed.end()) return question;
  const auto tiling = oracle::settled_tiling(question);
  if (!tiling) return question;
  for (const DefinitionId definition : all_definitions()) {
    if (has_axis(definition) || std::ranges::find(claimed, definition) == claimed.end()) continue;
    Case other = question;
    other.definition = definition;
    const auto same = oracle::settled_tiling(other);
    if (same && same->data == tiling->data && same->repeats == tiling->repeats) return other;
  }
  return question;
}

// Returns suites/*.tile, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_suites();

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Error refused(std::string why) {
  return {Error::Code::bad_literal, std::move(why)};
}

// Returns the case to time; `words` are those of the line.
Result<TimedCase> to_time(Case question, std::string_view words) {
  if (question.placement != Placement{}) return refused("a timed case does not say where its buffers lie");
  const auto promoted = oracle::settled_tiling(question);
  if (!promoted) return refused("there is nothing to time: " + promoted.error().what);
  const ElementType type = question.data.type();
  const auto size = [type](const Shape& shape) -> std::uint64_t {
    const auto count = element_count(shape);
    return count ? byte_size(type, *count).value_or(SIZE_MAX) : SIZE_MAX;
  };
  TimedCase timed;
  timed.input_bytes = size(promoted->data);
  timed.output_bytes = size(promoted->output);
  if (timed.output_bytes == SIZE_MAX) return refused("the output is too large");
  if (timed.output_bytes == 0) return refused("there is nothing to time: the output has no elements");
  timed.innermost_bytes = innermost_bytes(type, *promoted);
  timed.literal = to_string(question);
  const auto colon = words.find(':');
  timed.words = trimmed(colon == words.npos ? words : words.substr(colon + 1));
  timed.regime = colon == words.npos ? regime_of(type, *promoted) : trimmed(words.substr(0, colon));
  timed.question = std::move(question);
  return timed;
}

bool is_path(std::string_view name) {
  return name.find_first_of("/.") != name.npos;
}

}  // namespace

Result<TimedCase> case_to_time(std::string_view literal) {
  auto question = parse_case(literal);
  if (!question) return Error{question.error().code, conformance::with_caret(question.error().what, literal)};
  return to_time(*std::move(question), {});
}

Result<Suite> parse_suite(const std::string& name, std::string_view text) {
  Suite suite{name, {}};
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = trimmed(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (line.empty() || line.front() == '#') continue;
    const auto here = [&](const Error& error) {
      return Error{error.code, name + ":" + std::to_string(number) + ": " + error.what};
    };
    auto parsed = parse_corpus_line(line);
    if (!parsed) return here({parsed.error().code, conformance::with_caret(parsed.error().what, line)});
    auto timed = to_time(std::move(parsed->question), parsed->words);
    if (!timed) return here(timed.error());
    suite.cases.push_back(*std::move(timed));
  }
  if (suite.cases.empty()) return Error{Error::Code::io, "the suite " + name + " has no case in it"};
  return suite;
}

std::vector<std::string> built_in_suites() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_suites())
    names.push_back(std::filesystem::path(file.name).stem());
  return names;
}

Result<Suite> load_suite(const std::string& name_or_path) {
  if (is_path(name_or_path)) {
    const auto file = conformance::read_corpus(name_or_path);
    if (!file) return file.error();
    return parse_suite(file->name, file->text);
  }
  for (const EmbeddedFile& file : embedded_suites())
    if (file.name == name_or_path + ".tile") return parse_suite(name_or_path, file.text);
  return Error{Error::Code::io, "there is no suite '" + conformance::printable(name_or_path) +
                                    "'; there are " + conformance::joined(built_in_suites(), ", ") +
                                    "; the path of a file contains a '/' or a '.'"};
}

namespace {

constexpr double least_log2 = 6, most_log2 = 28;  // 64 bytes to 256 MiB
constexpr int most_axes = 6;
constexpr unsigned percent_of_ones = 40;

// Returns a number between 0 and 1.
double fraction(conformance::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Returns the element types with a countable number of bits, grouped by width.
const std::vector<std::vector<ElementType>>& types_by_width() {
  static const std::vector<std::vector<ElementType>> widths = [] {
    std::map<int, std::vector<ElementType>> by_width;
    for (const ElementType type : all_element_types())
      if (type != ElementType::string) by_width[bits(type)].push_back(type);
    std::vector<std::vector<ElementType>> all;
    for (auto& [width, types] : by_width)
      all.push_back(std::move(types));
    return all;
  }();
  return widths;
}

// Divides 2^log2 at random among `factors` factors.
std::vector<std::int64_t> divide(conformance::Random& random, double log2, std::size_t factors) {
  std::vector<double> parts;
  double sum = 0;
  for (std::size_t index = 0; index < factors; ++index) {
    parts.push_back(random.chance(percent_of_ones) ? 0 : fraction(random));
    sum += parts.back();
  }
  std::vector<std::int64_t> divided;
  for (const double part : parts)
    divided.push_back(sum == 0 ? 1 : std::max<std::int64_t>(1, std::llround(std::exp2(log2 * part / sum))));
  return divided;
}

std::string bracketed(char open, const std::vector<std::int64_t>& values, char close) {
  std::string text(1, open);
  for (const std::int64_t value : values)
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + close;
}

std::optional<TimedCase> draw(conformance::Random& random) {
  const double log2_bytes = least_log2 + (most_log2 - least_log2) * fraction(random);
  const ElementType type = random.pick(random.pick(types_by_width()));
  const auto rank = static_cast<std::size_t>(random.between(1, most_axes));
  const double log2_elements = std::max(0.0, log2_bytes + 3 - std::log2(bits(type)));
  const std::vector<std::int64_t> factors = divide(random, log2_elements, 2 * rank);
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(rank);
  const std::string operands = " " + std::string(name(type)) +
                               bracketed('[', {factors.begin(), middle}, ']') + " x i64" +
                               bracketed('{', {middle, factors.end()}, '}');
  // Not every definition has every type.
  for (const DefinitionId definition : all_definitions()) {
    if (has_axis(definition)) continue;
    auto timed = case_to_time(std::string(name(definition)) + operands);
    if (!timed) continue;
    const double log2_drawn = [&] {
      double sum = std::log2(bits(type)) - 3;
      for (const std::int64_t factor : factors)
        sum += std::log2(static_cast<double>(factor));
      return sum;
    }();
    if (log2_drawn < least_log2 || log2_drawn > most_log2) return std::nullopt;
    timed->words = "random";
    return *std::move(timed);
  }
  return std::nullopt;
}

}  // namespace

Suite random_suite(std::int64_t count, std::uint64_t seed) {
  Suite suite{"random:" + std::to_string(seed), {}};
  conformance::Random random(seed);
  std::set<std::string> drawn;
  while (suite.cases.size() < static_cast<std::size_t>(std::max<std::int64_t>(count, 0))) {
    auto timed = draw(random);
    if (timed && drawn.insert(timed->literal).second) suite.cases.push_back(*std::move(timed));
  }
  return suite;
}

}  // namespace certile::bench
