#include "bench/report/figure_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/run/suite.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
namespace {

// Returns three significant digits, without an exponent.
std::string three_digits(double value) {
  if (!std::isfinite(value)) return "-";
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

void append_known(std::vector<std::string>& phrases, const std::string& text, const std::string& label = "") {
  if (!text.empty()) phrases.push_back(label + conformance::printable(text));
}

std::string cache_text(std::uint64_t bytes) {
  if (bytes == 0) return "?";
  return bytes < 1048576 ? fmt::format("{} KiB", bytes / 1024) : fmt::format("{} MiB", bytes / 1048576);
}

}  // namespace

std::string time_text(double nanoseconds) {
  if (nanoseconds < 1e3) return three_digits(nanoseconds) + " ns";
  if (nanoseconds < 1e6) return three_digits(nanoseconds / 1e3) + " us";
  if (nanoseconds < 1e9) return three_digits(nanoseconds / 1e6) + " ms";
  return three_digits(nanoseconds / 1e9) + " s";
}

std::string rate_text(double bytes_a_second) {
  return three_digits(bytes_a_second / 1e9);
}

std::string share_text(double share) {
  return fmt::format("{:.2f}", share);
}

std::string ratio_text(double ratio) {
  return three_digits(ratio);
}

std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (bytes < 1048576 / 8) return three_digits(size / 1024) + " KiB";
  return three_digits(size / 1048576) + " MiB";
}

std::string interval_text(const Comparison& comparison) {
  if (comparison.word == Word::too_few_rounds) return "";
  return ratio_text(comparison.low) + " to " + ratio_text(comparison.high);
}

std::string short_name(const std::string& name) {
  constexpr std::size_t longest = 22;
  std::string shown = conformance::shortened(conformance::printable(name), 80);
  if (shown.size() <= longest) return shown;
  std::size_t begin = shown.size() - (longest - 1);
  while (begin < shown.size() && (static_cast<unsigned char>(shown[begin]) & 0xc0) == 0x80)
    ++begin;  // begins with a whole character
  return "…" + shown.substr(begin);
}

void write_wrapped(std::ostream& out, std::string text, std::size_t columns) {
  const std::size_t indent = text.find_first_not_of(' ');
  while (text.size() > columns) {
    const std::size_t space = text.rfind(' ', columns);
    if (space == std::string::npos || space <= indent + 2) break;
    out << text.substr(0, text.find_last_not_of(' ', space) + 1) << '\n';
    text = std::string(indent + 2, ' ') + text.substr(space + 1);
  }
  out << text << '\n';
}

std::string limit_text(const Limit& limit) {
  const std::string words(name(limit.probe));
  return limit.threads == 1 ? words : fmt::format("{}, {} threads", words, limit.threads);
}

std::string remarks(const Subject& subject, double cores) {
  std::vector<std::string> words;
  if (cores >= 1.25) words.push_back(fmt::format("{:.1f} cores", cores));
  if (subject.allocates) words.push_back("allocates");
  if (!subject.in_process) words.push_back("own process");
  if (subject.self_timed) words.push_back("times itself");
  return conformance::joined(words, ", ");
}

std::string machine_text(const Machine& machine) {
  std::vector<std::string> phrases;
  append_known(phrases, machine.processor);
  if (machine.cores > 0) phrases.push_back(conformance::counted(machine.cores, "core"));
  if (machine.level1_bytes + machine.level2_bytes + machine.level3_bytes > 0) {
    phrases.push_back(fmt::format("caches {}, {}, {}", cache_text(machine.level1_bytes),
                                  cache_text(machine.level2_bytes), cache_text(machine.level3_bytes)));
  }
  append_known(phrases, machine.governor, "governor ");
  append_known(phrases, machine.system);
  append_known(phrases, machine.pages);
  return conformance::joined(phrases, "; ");
}

std::string build_text(const Machine& machine) {
  std::vector<std::string> phrases;
  append_known(phrases, machine.compiler);
  append_known(phrases, machine.flags);
  append_known(phrases, machine.commit, "commit ");
  append_known(phrases, machine.benchmark_library);
  return conformance::joined(phrases, "; ");
}

std::vector<std::string> rules_text(const BenchRun& run) {
  std::vector<std::string> rules = {
      fmt::format("Medians of {} rounds, next to the best; each round times everything once, in random order "
                  "(seed {}).",
                  run.rounds, run.seed),
      ("Timed only after it passed. Hot: an untimed call first; cold: caches flushed before each call. "
       "Data is not zero, memory is touched before."),
      ("Limit: the fastest of fills by ordinary, non-temporal and string stores and memset over the same "
       "bytes "
       "in the same rounds, with one thread, or, for what kept more than 1.25 cores busy, with as many. Up "
       "to "
       "4 KiB: a call by the C interface that is ruled and planned, and fills the output."),
      ("Of limit: bytes written, and read where the input exceeds the level 2 cache, against the limit's "
       "bytes written; copy: against the fastest copy of the same footprint."),
      fmt::format(
          "Faster, slower: the {:.0f} % interval of the ratio within rounds (sign test) excludes 1, and "
          "the ratio differs from it by {:.0f} % or more. Of twenty words one may be wrong.",
          confidence * 100, minimum_effect * 100),
  };
  return rules;
}

}  // namespace certile::bench
