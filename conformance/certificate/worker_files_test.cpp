#include "conformance/certificate/statement.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

// Returns why the files of the command are not known, if those of /usr/bin/python3 and mine.py were read.
std::string unknown(const std::string& command) {
  const std::string digest(64, 'a');
  return unknown_file_of("worker:" + command, {{"/usr/bin/python3", "", digest}, {"mine.py", "", digest}})
      .value_or("");
}

TEST(WorkerFiles, AreKnownIfEachThatTheCommandNamesWasRead) {
  for (const char* command : {"python3 mine.py", "exec /usr/bin/python3 mine.py --fast 1.5",
                              "A=b python3 -m certile serve mine.py:tile"})
    EXPECT_EQ(unknown(command), "") << command;
  EXPECT_EQ(unknown_file_of("./cd d && mine.so", {}), std::nullopt);
}

TEST(WorkerFiles, AreUnknownIfAShellLooksThemUp) {
  EXPECT_EQ(unknown("cd d && python3 mine.py"),
            "the shell decides what the worker's command runs: it has the character &");
  EXPECT_EQ(unknown("python3 $MINE"),
            "the shell decides what the worker's command runs: it has the character $");
  EXPECT_EQ(unknown("python3 -c 'import mine'"), "the worker's command has code in it, behind -c");
}

TEST(WorkerFiles, AreUnknownIfOneIsElsewhere) {
  EXPECT_EQ(unknown("python3 other.py"),
            "the worker's command names other.py, which is no file whose SHA-256 was taken");
  EXPECT_EQ(unknown("python3 mine.py --model=d/model.onnx"),
            "the worker's command names --model=d/model.onnx, which is no file whose SHA-256 was taken");
  EXPECT_EQ(unknown("elsewhere"),
            "the worker's command names elsewhere, which is no file whose SHA-256 was taken");
  EXPECT_EQ(unknown_file_of("worker:python3 mine.py", {{"/usr/bin/python3", "", ""}}),
            "the worker's command names python3, which is no file whose SHA-256 was taken");
}

}  // namespace
}  // namespace certile::conformance
