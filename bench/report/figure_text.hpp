#pragma once
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/run/statistics.hpp"

// How figures are written, the same in every view.
namespace certile::bench {

std::string time_text(double nanoseconds);     // "14.2 ns", "3.05 us", "12.0 ms"
std::string rate_text(double bytes_a_second);  // in GB/s, three digits: "0.52", "9.81", "96.4", "117"
std::string share_text(double share);          // "0.97"
std::string ratio_text(double ratio);          // three digits: "0.87", "13.8", "152"
std::string size_text(std::uint64_t bytes);    // "576 B", "0.75 MiB", "113 MiB"
std::string interval_text(const Comparison& comparison);  // "0.97 to 1.02"; "" if there is none

// Returns the name of a backend for a table: printable, and of a long one, probably a path, the end.
std::string short_name(const std::string& name);

// Writes the text in lines of at most `columns`, broken between words; further lines are indented by two more
// than the first.
void write_wrapped(std::ostream& out, std::string text, std::size_t columns);

// Returns "fill", "memset, 2 threads".
std::string limit_text(const Limit& limit);

// Returns what to know about this subject's figure: "2 threads, allocates, own process"; "" for nothing.
std::string remarks(const Subject& subject, double cores);

// Returns the processor, its caches, the pages and the rest, as phrases for a footer or a heading.
std::string machine_text(const Machine& machine);
std::string build_text(const Machine& machine);

// Returns the rules by which figures are taken and put into words, one sentence each.
std::vector<std::string> rules_text(const BenchRun& run);

}  // namespace certile::bench
