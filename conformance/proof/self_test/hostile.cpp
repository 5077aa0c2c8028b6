#include "conformance/proof/self_test/hostile.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "conformance/ask/process/process_table.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

constexpr Hostile hostile_rows[] = {
#define HOSTILE(id, name, shows, fault, role, says, words) \
  {#id, #name, Hostile::Shows::shows, fault, role, says, words},
#include "conformance/proof/hostile/hostile.inc"
#undef HOSTILE
};

// Calls of every kind before the one case and after it: types, refusals, several threads, no elements,
// places.
constexpr std::size_t the_case = 8;
constexpr std::array literals{
    "onnx-tile-13 u8[2] x i64{2}",
    "onnx-tile-13 string[3] x i64{2}",
    "onnx-tile-13 f32[2] x i64{-1}",
    "onnx-tile-13 f64[3,5] x i64{2,3}",
    "onnx-tile-13 f32[0,3] x i64{2,2}",
    "onnx-tile-13 i16[17,3] x i64{1,3} @offset=2",
    "onnx-tile-13 f32[7,9] x i64{3,2} @threads=2",
    "onnx-tile-13 f32[2,3] x i64{2,1}",
    "onnx-tile-13 f32[2,3] x i64{2,2}",
    "onnx-tile-13 f32[2,3] x i64{1,2}",
    "onnx-tile-13 f32[2,3,4] x i64{1,2,3}",
    "onnx-tile-13 string[3] x i64{2}",
    "onnx-tile-13 f32[2] x i64{2,2}",
    "onnx-tile-13 f32[1,1] x i64{0,1} @guard=after",
    "onnx-tile-13 f16[33] x i64{5}",
    "onnx-tile-13 u8[3] x i64{2}",
};

RunOptions run_options(const Hostile& hostile, const std::string& path, const SurvivalOptions& options,
                       const std::atomic<bool>& interrupted) {
  RunOptions run;
  run.isolate.program = options.program;
  run.isolate.spelling = path;
  run.isolate.time_limit = options.time_limit;
  run.isolate.memory_limit = std::uint64_t{64} << 20;
  if (hostile.shows == Hostile::Shows::at_start) run.isolate.start_limit = options.start_limit;
  run.interrupted = &interrupted;
  return run;
}

// Returns the index of the record that must be a failure; nothing if none must.
std::optional<std::size_t> due_failure(const Hostile& hostile, const std::vector<Record>& records) {
  const auto is_failure = [](const Record& record) { return record.now().verdict == Verdict::fail; };
  switch (hostile.shows) {
    case Hostile::Shows::in_it:
      return the_case;
    case Hostile::Shows::next: {
      const auto found = std::find_if(records.begin() + static_cast<std::ptrdiff_t>(the_case) + 1,
                                      records.end(), is_failure);
      return static_cast<std::size_t>(found - records.begin());
    }
    case Hostile::Shows::at_end:
      return records.size() - 1;
    case Hostile::Shows::at_start:
    case Hostile::Shows::nowhere:
      break;
  }
  return std::nullopt;
}

std::string in_short(const Record& record) {
  std::string text = record.literal + ": " + std::string(name(record.now().verdict));
  if (record.now().fault != Fault::none)
    text += " " + std::string(name(record.now().fault)) + " [" + std::string(record.now().charged) + "]";
  const std::string first = record.now().words.substr(0, record.now().words.find('\n'));
  return first.empty() ? text : text + ": " + first;
}

bool is_named(const Hostile& hostile, const Record& record, bool exactly) {
  if (!exactly) return record.now().verdict == Verdict::fail;
  const bool repeats_both =
      hostile.shows != Hostile::Shows::next ||
      std::ranges::find(record.reproduce(), literals[the_case]) != record.reproduce().end();
  const bool is_charged =
      hostile.fault.empty() || (name(record.now().fault) == hostile.fault &&
                                has_role(clause_id(record.now().charged), role_named(hostile.role).value()));
  return record.now().verdict == Verdict::fail && is_charged && repeats_both &&
         record.now().words.find(hostile.says) != std::string::npos;
}

// Returns the difference from the row; empty if there is none.
std::string difference(const Hostile& hostile, const std::vector<Record>& records, bool exactly) {
  if (records.size() != literals.size())
    return std::to_string(records.size()) + " records of " + std::to_string(literals.size()) + " cases";
  const auto due = due_failure(hostile, records);
  if (due && *due >= records.size()) return "no later case fails";
  for (std::size_t index = 0; index < records.size(); ++index) {
    const bool is_due = due == index;
    if (is_due ? !is_named(hostile, records[index], exactly) : records[index].now().verdict != Verdict::pass)
      return in_short(records[index]);
  }
  return {};
}

Survival meet(const Hostile& hostile, const RunOptions& run, bool exactly) {
  Survival survival{&hostile, false, {}};
  const Started started = start_backend(run.isolate);
  if (hostile.shows == Hostile::Shows::at_start || !started.claim) {
    survival.why = started.claim ? "it was loaded" : started.failure->sentence;
    survival.survived = hostile.shows == Hostile::Shows::at_start && !started.claim &&
                        (!exactly || survival.why.find(hostile.says) != std::string::npos);
    return survival;
  }
  Plan plan;
  for (const char* literal : literals)
    plan.cases.push_back(*parse_planned_case(literal));
  std::vector<Record> records;
  const auto ran = run_plan(plan, run, [&](const Record& record) {
    records.push_back(record);
    return Result<Done>(Done{});
  });
  survival.why = ran ? difference(hostile, records, exactly) : ran.error().what;
  survival.survived = survival.why.empty();
  if (const auto due = due_failure(hostile, records); survival.survived && due)
    survival.why = in_short(records[*due]);
  return survival;
}

// Returns the number of processes left, after some patience, because a killed process stays in the table
// until it has run once more and its parent has collected it.
int processes_left_behind(const std::string& path) {
  constexpr int patience = 200;
  int left = processes_with(path);
  for (int turn = 0; left > 0 && turn < patience; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    left = processes_with(path);
  }
  return left;
}

}  // namespace

std::span<const Hostile> all_hostile() noexcept {
  return hostile_rows;
}

Survival survive(const Hostile& hostile, const std::string& path, const SurvivalOptions& options,
                 const std::atomic<bool>& interrupted) {
  RunOptions run = run_options(hostile, path, options, interrupted);
  Survival survival = meet(hostile, run, options.exactly);
  // A busy machine may not answer in so short a time.
  constexpr int patience = 10;
  run.isolate.time_limit *= patience;
  if (!survival.survived && !interrupted.load()) survival = meet(hostile, run, options.exactly);
  if (const int left = processes_left_behind(path); left > 0) {
    survival.survived = false;
    survival.why += "\nprocesses left behind: " + std::to_string(left);
  }
  return survival;
}

}  // namespace certile::conformance
