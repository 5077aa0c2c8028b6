#include "bench/report/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/report/figure_text.hpp"
#include "bench/report/goal_rules.hpp"
#include "bench/report/report_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile {
namespace {

constexpr std::size_t most_shown = 12;  // cases that fall short of a goal, in one run
constexpr std::string_view command_of_document = "./dev bench --document";
constexpr std::string_view command_of_counts = "bench/count_instructions.sh CERTILE-BENCH";

constexpr std::string_view paths = R"(## Why each path exists

| path | why |
|---|---|
| plan | a tiling is reduced to byte runs and levels before anything moves, so element types and ranks cost nothing later; nothing is allocated, so that a tiny call stays one |
| shuffled fill | a period of up to 64 bytes is held in registers and turned by a byte shuffle: copying it block by block costs a call per few bytes |
| pattern in the first-level cache | a longer period is written out there once, and copied from any phase of it without a seam |
| level by level | all blocks of a level are repeated in one pass before the next: a block that is read right after it was written waits for its stores |
| aligned stores, rotated loads | a store that crosses a cache line costs more than a load that does |
| streaming stores | beyond the caches an ordinary store reads the line that it overwrites; within them streaming is several times slower, hence a threshold from the sizes of the caches, lower where the source is large |
| whole lines | a line that is written half by one kind of stores and half by the other costs as much as a full miss |
| large sources | a source beyond the level 2 cache is read once, a piece at a time, and written to every place it repeats in |
| packed types | rows that begin and end on bytes take the byte kernel; others are moved 56 bits at a time |
| threads | the output is cut at pages, each thread takes the next piece when it is done; small outputs stay with one |
)";

// Where the files lay is nobody's concern: what is below the current folder is named from there.
std::string from_here(std::string command) {
  const std::string folder = std::filesystem::current_path().string() + "/";
  for (auto at = command.find(folder); at != command.npos; at = command.find(folder, at))
    command.erase(at, folder.size());
  return command;
}

void write_runs(std::ostream& out, const std::vector<BenchRun>& runs) {
  for (const BenchRun& run : runs) {
    out << fmt::format("- **{}**, {}, {}: `{}`\n  {}; {}\n", markdown_text(run.suite),
                       counted(static_cast<std::int64_t>(run.cases.size()), "case"), run.date,
                       printable(from_here(run.command)), machine_text(run.machine), build_text(run.machine));
  }
}

// The rules are the same for all runs but for what the first of them counts.
void write_rules(std::ostream& out, const std::vector<BenchRun>& runs) {
  if (runs.empty()) return;
  out << "\n## How the figures are taken\n\nOnly ratios within one run are stated; gigabytes a second belong "
         "to a machine "
         "and an hour. In each cell: by medians / by best samples.\n\n";
  for (const std::string& rule : rules_text(runs.front()))
    out << "- " << markdown_text(rule) << '\n';
}

std::string two_figures(const GoalFigure& figure) {
  const auto text = [](double value) { return value < 10 ? share_text(value) : ratio_text(value); };
  return text(figure.median) + " / " + text(figure.best);
}

std::string verdict_of(const Goal& goal, const GoalResult& result) {
  const bool cases_hold = goal.threshold == 0 || result.met == static_cast<int>(result.cases.size());
  const bool mean_holds = goal.mean == 0 || result.mean.median >= goal.mean;
  return cases_hold && mean_holds ? "reached" : "**falls short**";
}

void write_goal_table(std::ostream& out, const std::vector<BenchRun>& runs) {
  out << "\n## Goals\n\n| goal | run | cases | reach it | furthest from it | geometric mean | "
         "|\n|---|---|---|---|---|---|---|\n";
  for (const Goal& goal : all_goals()) {
    bool measured = false;
    for (const BenchRun& run : runs) {
      const GoalResult result = result_of(goal, run);
      if (result.cases.empty()) continue;
      measured = true;
      const std::string met = goal.threshold == 0 ? "" : std::to_string(result.met);
      out << fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", goal.name, markdown_text(run.suite),
                         result.cases.size(), met, two_figures(result.cases.front().figure),
                         two_figures(result.mean), verdict_of(goal, result));
    }
    if (!measured) out << fmt::format("| {} | | 0 | | | | not measured |\n", goal.name);
  }
  out << '\n';
  for (const Goal& goal : all_goals())
    out << fmt::format("- **{}**: {}.\n", goal.name, goal.aim);
  out << "\nOurs are `simd`, the best kernel of the processor, and `openmp`, the same in several threads. "
         "Frameworks are all "
         "that is neither those, nor one of the kernels by its name, nor `scalar`; a case's fastest is "
         "meant.\n";
}

// The cases of a run that miss the goal, the worst first.
void write_short_cases(std::ostream& out, const Goal& goal, const BenchRun& run) {
  const GoalResult result = result_of(goal, run);
  const std::size_t short_of =
      goal.threshold == 0 ? 0 : result.cases.size() - static_cast<std::size_t>(result.met);
  if (short_of == 0) return;
  out << fmt::format("\n**{}**, {}: {} of {}\n\n| case | regime | written | reached |\n|---|---|---|---|\n",
                     goal.name, markdown_text(run.suite), short_of, result.cases.size());
  for (std::size_t index = 0; index < std::min(short_of, most_shown); ++index) {
    const GoalCase& each = result.cases[index];
    out << fmt::format("| `{}` | {} | {} | {} |\n", shortened(each.timed->literal, 100),
                       markdown_text(each.timed->regime), size_text(each.timed->output_bytes),
                       two_figures(each.figure));
  }
  if (short_of > most_shown) out << fmt::format("\n… and {} more, less far away\n", short_of - most_shown);
}

void write_counts(std::ostream& out, const std::vector<InstructionCount>& counts) {
  if (counts.empty()) return;
  out << fmt::format(
      "\n## Instructions of a tiny call\n\nCounted by Callgrind (`{}`), so that no neighbour moves them. "
      "Valgrind knows no AVX-512: `simd` is the best kernel without it. `kernel` is the same kernel called "
      "with axes "
      "that are ruled on already; the backends read the call and apply the operator's rules as well. A "
      "string "
      "instruction, as in memset, counts once for each of its steps.\n\n"
      "| case | implementation | instructions of one call |\n|---|---|---|\n",
      command_of_counts);
  for (const InstructionCount& count : counts) {
    out << fmt::format("| `{}` | {} | {:.0f} |\n", shortened(count.literal, 100),
                       markdown_text(count.subject), count.instructions);
  }
}

Result<std::vector<InstructionCount>> read_counts(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{Error::Code::io, "cannot read " + printable(path) + ": " + std::strerror(errno)};
  std::vector<InstructionCount> counts;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    InstructionCount count;
    std::istringstream words(line);
    if (!(words >> count.subject >> count.instructions >> std::ws) || !std::getline(words, count.literal)) {
      return Error{
          Error::Code::bad_literal,
          printable(path) + ": not a line of counts (BACKEND INSTRUCTIONS LITERAL): " + printable(line)};
    }
    counts.push_back(count);
  }
  return counts;
}

}  // namespace

std::string performance_document(const std::vector<BenchRun>& runs,
                                 const std::vector<InstructionCount>& counts, const std::string& command) {
  std::ostringstream out;
  out << fmt::format(
      "# Performance\n\nWhat is aimed at, what was reached, and where it falls short. `{}` measures and "
      "writes "
      "this page; nothing in it is typed by hand.\n\n",
      command);
  write_runs(out, runs);
  out << "\n![Share of the limit over the size of the output](performance.svg)\n";
  write_goal_table(out, runs);
  out << "\n## Where it falls short\n";
  for (const Goal& goal : all_goals()) {
    for (const BenchRun& run : runs)
      write_short_cases(out, goal, run);
  }
  write_counts(out, counts);
  out << '\n' << paths;
  write_rules(out, runs);
  return out.str();
}

int goals_command(const std::vector<std::string>& run_paths, const std::string& instructions_path,
                  std::ostream& out, std::ostream& error) {
  std::vector<BenchRun> runs;
  for (const std::string& path : run_paths) {
    auto run = read_json(path);
    if (!run) {
      error << "certile-bench: " << run.error().what << '\n';
      return 2;
    }
    // A suite that was timed more than once is told apart by what the later files are called.
    const auto same_suite = [&run](const BenchRun& other) { return other.suite == run->suite; };
    if (std::any_of(runs.begin(), runs.end(), same_suite))
      run->suite += ", " + std::filesystem::path(path).stem().string();
    runs.push_back(std::move(*run));
  }
  std::vector<InstructionCount> counts;
  if (!instructions_path.empty()) {
    auto read = read_counts(instructions_path);
    if (!read) {
      error << "certile-bench: " << read.error().what << '\n';
      return 2;
    }
    counts = std::move(*read);
  }
  out << performance_document(runs, counts, std::string(command_of_document));
  return 0;
}

}  // namespace certile
