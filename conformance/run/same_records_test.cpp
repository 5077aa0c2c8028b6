// What a run records does not depend on the machine: not on its load, its processors, or the number of
// processes. docs/limitations.md lists what does.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/records/record_json.hpp"
#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t cases = 100;  // of each kernel, from all generators of the tier

// A number of loops that keep processors busy.
class BusyLoops {
 public:
  explicit BusyLoops(int count) {
    for (int index = 0; index < count; ++index) {
      loops_.push_back(fork());
      while (loops_.back() == 0) {
      }
    }
  }
  ~BusyLoops() {
    for (const pid_t loop : loops_) {
      kill(loop, SIGKILL);
      waitpid(loop, nullptr, 0);
    }
  }
  BusyLoops(const BusyLoops&) = delete;
  BusyLoops& operator=(const BusyLoops&) = delete;

 private:
  std::vector<pid_t> loops_;
};

// A time in which this process has one processor, as under taskset.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t processor = 0; CPU_COUNT(&one) == 0; ++processor)
      if (CPU_ISSET(processor, &before_)) CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
};

std::string lines_of(const std::vector<Record>& records) {
  std::string lines;
  for (const Record& record : records)
    append_record_line(lines, record);
  return lines;
}

// Returns the lines without the amounts that "9026 after 144 calls, 9578 after 512" has.
std::string without_amounts(const std::string& lines) {
  static const std::regex amount("[0-9]+ after");
  return std::regex_replace(lines, amount, "n after");
}

// Returns the first line in which two runs differ, of both.
std::string first_difference(const std::string& left, const std::string& right) {
  std::istringstream one(left), other(right);
  std::string line, other_line;
  while (line == other_line && (std::getline(one, line) || std::getline(other, other_line)))
    std::getline(other, other_line);
  return line + "\n" + other_line;
}

struct KindOfKernel {
  const char* name;
  std::string spelling;
  bool counts_what_is_kept = false;  // of concurrent calls, too, whose number is chance
};

std::string mutant_library(const char* id) {
  return std::string(CERTILE_MUTANTS "/") + id + ".so";
}

// Returns a right kernel, one that crashes, a worker, and a mutant of each file of them; left out are those
// whose concurrent calls race, and those that depend on files.
std::vector<KindOfKernel> kinds_of_kernels() {
  std::vector<KindOfKernel> all{{"example", example_plugin("libexample")},
                                {"crashes", test_plugin("over_reads")},
                                {"M308", mutant_library("M308"), true},
                                {"worker", "worker:" CERTILE_PYTHON " " CERTILE_WORKERS "/example.py"}};
  for (const char* id : {"M01",  "M05",  "M09",  "M29",  "M38",  "M50",  "M57",  "M139", "M162",
                         "M174", "M196", "M202", "M217", "M229", "M238", "M268", "M281", "M298",
                         "M302", "M334", "M340", "M360", "M376", "M381", "M388", "M410", "M458"})
    all.push_back({id, mutant_library(id)});
  return all;
}

// A kernel, its plan, and what was recorded where nothing else ran.
struct ComparedKernel {
  KindOfKernel kernel;
  RunOptions options;
  Plan plan;
  std::string alone;
};

std::string recorded(const ComparedKernel& judged) {
  const std::string lines = lines_of(records_of(judged.plan, judged.options));
  return judged.kernel.counts_what_is_kept ? without_amounts(lines) : lines;
}

// Expects the same records in two processes for each kernel, two kernels at once.
void expect_same_records(std::vector<ComparedKernel>& all, const char* where) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t index = next++; index < all.size(); index = next++) {
      all[index].options.jobs = 2;
      const std::string again = recorded(all[index]);
      EXPECT_TRUE(again == all[index].alone) << all[index].kernel.name << ", " << where << ":\n"
                                             << first_difference(all[index].alone, again);
    }
  };
  std::jthread other(work);
  work();
}

TEST(SameRecords, WhateverTheMachineDoesBeside) {
  if (is_slowed()) GTEST_SKIP() << "takes minutes";
  std::vector<ComparedKernel> all;
  for (const KindOfKernel& kernel : kinds_of_kernels()) {
    ComparedKernel judged{kernel, run_options(kernel.spelling), {}, {}};
    const auto asker = open_asker(judged.options.isolate);
    ASSERT_TRUE(asker) << asker.error().what;
    PlanOptions planned;
    planned.tier = Tier::smoke;
    auto plan = make_plan((*asker)->claim(), (*asker)->transport(), planned);
    ASSERT_TRUE(plan) << plan.error().what;
    judged.plan = *std::move(plan);
    const std::size_t step = judged.plan.cases.size() / cases + 1;
    std::size_t number = 0;
    std::erase_if(judged.plan.cases, [&](const PlannedCase&) { return number++ % step != 0; });
    judged.alone = recorded(judged);
    all.push_back(std::move(judged));
  }
  {
    const BusyLoops beside(4);
    expect_same_records(all, "beside four busy loops");
  }
  const OneProcessor one;
  expect_same_records(all, "on one processor");
}

}  // namespace
}  // namespace certile::conformance
