// Tests the runner with a system that refuses: each system call fails once, and then that one and every later
// one, by a library loaded before the others (failing_calls.c).  The runner may fail with a sentence, but not
// crash, and its output and files must equal those of an undisturbed run, or not look like a whole run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/records/record_stream.hpp"
#include "conformance/run/chunk_runner.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kinds{
#define KIND(name, error) #name,
#include "conformance/proof/faults/failing_calls.inc"
#undef KIND
};

// Returns how many calls of each kind fail, evenly chosen if there are more: ./dev test --full sets many.
long most_calls() {
  const char* wanted = std::getenv("CERTILE_FAILING_CALLS");
  return wanted != nullptr ? std::atol(wanted) : 3;
}

struct Outcome {
  ProgramRun program;
  std::map<std::string, std::string> files;  // by name
};

// A run in which no call fails.
struct Undisturbed : Outcome {
  std::map<std::string, long> calls;  // by kind
};

class FailingCalls : public testing::Test {
 protected:
  void SetUp() override {
    if (is_slowed()) GTEST_SKIP() << "a sanitizer, or an emulator, allocates in its own way";
    // All tests have the same paths, so that their runs can be compared.
    static const std::string folder = temporary_path("");
    folder_ = folder;
    fs::create_directories(folder_);
    std::ofstream corpus(folder_ + ".tile");
    corpus << "openvino-tile-1 f32[2,3] x i64{2,2,2}\nonnx-tile-13 f32[2] x i64{-1}\n";
    asked_ = {"certify", "scalar", "--corpus", folder_ + ".tile", "--jobs", "2"};
  }

  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(fs::path(folder_).parent_path());
  }

  // Writes a corpus with enough cases for two threads, each of which has a half.
  void ask_many() {
    std::ofstream corpus(folder_ + ".tile");
    for (std::size_t length = 1; length <= least_to_halve; ++length)
      corpus << "onnx-tile-13 u8[" << length << "] x i64{1}\n";
  }

  Outcome run(const std::vector<std::string>& wishes) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    std::vector<std::string> words{"env", "LD_PRELOAD=" CERTILE_FAILING_LIBRARY};
    words.insert(words.end(), wishes.begin(), wishes.end());
    words.push_back(program);
    words.insert(words.end(), asked_.begin(), asked_.end());
    for (const char* view : {"records", "junit", "markdown"}) {
      words.push_back(std::string("--") + view);
      words.push_back(folder_ + "/" + view);
    }
    Outcome outcome;
    outcome.program = StartedProgram(words).wait();
    // The time it took, on the last line, is the one thing that differs.
    if (outcome.program.out.ends_with(" s\n"))
      outcome.program.out.erase(outcome.program.out.find_last_of(' ', outcome.program.out.size() - 4));
    for (const auto& entry : fs::directory_iterator(folder_))
      outcome.files[entry.path().filename()] = file_content(entry.path());
    return outcome;
  }

  Undisturbed undisturbed() {
    const std::string path = temporary_path(".counts");
    Undisturbed whole{run({"CERTILE_FAILING_COUNTS=" + path}), {}};
    EXPECT_EQ(whole.program.exit_code, 0) << whole.program.error;
    EXPECT_EQ(whole.files.size(), 3U);
    std::ifstream file(path);
    std::string kind;
    for (long count = 0; file >> kind >> count;)
      whole.calls[kind] = count;
    return whole;
  }

  // Returns up to `most` of `count` calls, including the first and the last.
  static std::vector<long> chosen(long count, long most) {
    std::vector<long> numbers;
    const long wanted = std::min(count, most);
    for (long index = 0; index < wanted; ++index)
      numbers.push_back(wanted == 1 ? 1 : 1 + index * (count - 1) / (wanted - 1));
    return numbers;
  }

  // Lets up to `most` calls of a kind fail.
  void fail_calls(const std::string& kind, long most, const Undisturbed& whole) {
    ASSERT_TRUE(whole.calls.contains(kind));
    for (const char* mode : {"CERTILE_FAILING_ONCE=1", "CERTILE_FAILING_ONWARDS=1"})
      for (const long number : chosen(whole.calls.at(kind), most)) {
        const Outcome disturbed =
            run({"CERTILE_FAILING_KIND=" + kind, "CERTILE_FAILING_FROM=" + std::to_string(number), mode});
        EXPECT_EQ(what_is_wrong(disturbed, whole), "")
            << kind << " " << number << ", " << mode << "\n"
            << disturbed.program.error << "exit code " << disturbed.program.exit_code;
      }
  }

  static std::string what_is_wrong(const Outcome& run, const Outcome& whole) {
    const int code = run.program.exit_code;
    if (code < 0) return "it ended by a signal";
    if (code == 0) {
      if (run.files != whole.files) return "it passed, and its files are not whole";
      return run.program.out == whole.program.out ? "" : "it passed, and did not print everything";
    }
    // 1 stands for not finished as well, which the report says.
    if (code == 1 && run.program.out.find("INCOMPLETE") == std::string::npos)
      return "it accuses a backend that is right";
    if (code > 4) return "the exit code does not say what happened";
    if (code != 1 && run.program.error.rfind("certile: ", 0) != 0) return "it does not say why it failed";
    for (const auto& [name, content] : run.files) {
      const auto before = whole.files.find(name);
      if (before == whole.files.end()) return "it leaves " + name + " behind";
      if (content != before->second && looks_whole(name, content))
        return name + " looks like that of a whole run";
    }
    return "";
  }

  static bool looks_whole(const std::string& name, const std::string& content) {
    if (name == "junit")
      return content.find("</testsuites>") == std::string::npos ||
             content.find("<error ") == std::string::npos;
    if (name == "markdown")
      return content.find("NOTHING RUN") == std::string::npos &&
             content.find("INCOMPLETE") == std::string::npos;
    std::istringstream records(content);
    const auto nobody = [](const auto&) {};
    return read_records(records, name, {nobody, nobody}) &&
           content.find("\"incomplete\":") == std::string::npos &&
           content.find("\"conformance\":\"INCOMPLETE") == std::string::npos;
  }

 private:
  std::string folder_;
  std::vector<std::string> asked_;
};

class FailingCallsOfAKind : public FailingCalls, public testing::WithParamInterface<std::string> {};

TEST_P(FailingCallsOfAKind, NeitherCrashNorLookLikeAWholeRun) {
  static const Undisturbed whole = undisturbed();
  // There are many allocations, so more of them are tried.
  fail_calls(GetParam(), GetParam() == "memory" ? 4 * most_calls() : most_calls(), whole);
}

INSTANTIATE_TEST_SUITE_P(Each, FailingCallsOfAKind, testing::ValuesIn(kinds),
                         [](const auto& each) { return each.param; });

TEST_F(FailingCalls, OfSeveralThreadsNeitherCrashNorLookLikeAWholeRun) {
  ask_many();
  const Undisturbed whole = undisturbed();
  fail_calls("thread", most_calls(), whole);
  fail_calls("memory", most_calls(), whole);
}

}  // namespace
}  // namespace certile::conformance
