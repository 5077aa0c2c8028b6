#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"

namespace certile {

// Instructions that one call of a case executes, as counted by Callgrind.
struct InstructionCount {
  std::string subject;  // "memset": the same number of bytes written
  std::string literal;
  double instructions = 0;
};

// The text of docs/performance.md: what is aimed at, what these runs reached, where they fall short.
// `command` is the line that makes the document.
std::string performance_document(const std::vector<BenchRun>& runs,
                                 const std::vector<InstructionCount>& counts, const std::string& command);

// `certile-bench goals RUN.json… [--instructions FILE]` writes the document to `out`; FILE is what
// bench/count_instructions.sh printed, "" for none.  0, or 2 where a file cannot be read.
int goals_command(const std::vector<std::string>& run_paths, const std::string& instructions_path,
                  std::ostream& out, std::ostream& error);

}  // namespace certile
