#include "conformance/proof/fuzz/text_targets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "conformance/judge/case_traits.hpp"
#include "conformance/plan/corpus.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/waivers/waiver.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {
namespace {

// More elements would slow down the oracles, which are not fuzzed.
constexpr double most_elements = 1e4;
constexpr std::size_t longest_literal = 4096;

void insist_is_canonical(const Case& question) {
  const std::string literal = to_string(question);
  insist(literal.size() <= longest_literal, "a canonical literal is too long");
  insist(std::ranges::all_of(literal, [](char each) { return each >= ' ' && each <= '~' && each != '\''; }),
         "a canonical literal holds what a shell cannot quote");
  const auto again = parse_case(literal);
  insist(again && *again == question, "a canonical literal reads as another case");
}

}  // namespace

void fuzz_literal(std::span<const std::byte> input) {
  if (const auto question = parse_case(as_text(input))) insist_is_canonical(*question);
  if (const auto line = parse_corpus_line(as_text(input))) insist_is_canonical(line->question);
}

void fuzz_corpus(std::span<const std::byte> input) {
  const CorpusText corpus{"fuzz.tile", std::string(as_text(input))};
  std::istringstream lines(corpus.text);
  for (std::string text; std::getline(lines, text);) {
    const auto line = parse_corpus_line(text);
    if (line && traits_of(line->question).elements > most_elements) return;
  }
  const auto cases = parse_corpus(corpus);
  if (!cases) return insist(!cases.error().what.empty(), "an error without words");
  for (const Case& question : *cases)
    insist_is_canonical(question);
}

void fuzz_records(std::span<const std::byte> input) {
  std::istringstream file{std::string(as_text(input))};
  std::optional<RunHeader> header;
  // Every record is written as a line that is read again.
  const auto on_record = [&header](const Record& record) {
    std::string line, twice;
    append_record_line(line, record);
    if (const auto again = record_from_json(foreign_json(line), *header)) append_record_line(twice, *again);
    insist(twice == line, "a record does not survive being written");
  };
  const auto done =
      read_records(file, "fuzz.jsonl", {[&header](const RunHeader& read) { header = read; }, on_record});
  insist(!done || header, "records without a header are taken for a whole run");
}

void fuzz_waivers(std::span<const std::byte> input) {
  const auto waivers = parse_waivers(std::string(as_text(input)), "fuzz.waivers");
  if (!waivers) return insist(!waivers.error().what.empty(), "an error without words");
  for (const Waiver& waiver : *waivers) {
    const auto again = parse_waivers(to_string(waiver), "fuzz.waivers");
    insist(again && again->size() == 1 && to_string(again->front()) == to_string(waiver),
           "a waiver changes by being written");
  }
}

}  // namespace certile::conformance
