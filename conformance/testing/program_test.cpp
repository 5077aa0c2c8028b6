#include "conformance/testing/program_test.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "conformance/ask/process/emulator.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

std::string taken(const std::string& path) {
  std::string content = file_content(path);
  std::remove(path.c_str());
  return content;
}

void lead_to(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
  close(file);
}

// Waits for the process to end.  Returns false at the deadline.
bool ends_within(pid_t process, std::chrono::milliseconds deadline) {
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  EXPECT_GE(descriptor, 0) << "the end of a process cannot be waited for";
  pollfd end{descriptor, POLLIN, 0};
  const bool ended = poll(&end, 1, static_cast<int>(deadline.count())) > 0;
  close(descriptor);
  return ended;
}

}  // namespace

StartedProgram::StartedProgram(const std::vector<std::string>& arguments) {
  static int count = 0;
  const std::string number = std::to_string(++count);
  out_path_ = temporary_path("." + number + ".out");
  error_path_ = temporary_path("." + number + ".error");
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers;
  for (std::string& word : words) {
    command_ += (command_.empty() ? "" : " ") + word;
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  process_ = fork();
  if (process_ != 0) return;
  lead_to(out_path_, STDOUT_FILENO);
  lead_to(error_path_, STDERR_FILENO);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

ProgramRun StartedProgram::wait(std::chrono::milliseconds deadline) {
  if (!ends_within(process_, deadline)) {
    ADD_FAILURE() << "the program had not ended after " << deadline.count()
                  << " ms and was killed: " << command_;
    kill(process_, SIGKILL);
  }
  int status = 0;
  waitpid(process_, &status, 0);
  ProgramRun run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  run.out = taken(out_path_);
  run.error = taken(error_path_);
  return run;
}

std::vector<std::string> program_words(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = emulator_words();
  words.push_back(program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

ProgramRun run_program(const std::vector<std::string>& arguments) {
  return StartedProgram(program_words(arguments)).wait();
}

ProgramRun run_in_shell(const std::string& command) {
  const std::string name = "certile";
  EXPECT_EQ(command.rfind(name + " ", 0), 0U) << command;
  std::string words;
  for (const std::string& word : emulator_words())
    words += word + " ";
  return StartedProgram({"/bin/sh", "-c", words + "'" + program + "'" + command.substr(name.size())}).wait();
}

void wait_until(const std::function<bool()>& happened, const std::string& event,
                std::chrono::milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!happened()) {
    if (std::chrono::steady_clock::now() >= end) {
      ADD_FAILURE() << "waited " << deadline.count() << " ms in vain for " << event;
      return;
    }
    poll(nullptr, 0, 1);  // others need the processor
  }
}

void wait_for_lines(const std::string& path, long lines, std::chrono::milliseconds deadline) {
  const auto has_them = [&] {
    const std::string content = file_content(path);
    return std::count(content.begin(), content.end(), '\n') >= lines;
  };
  wait_until(has_them, std::to_string(lines) + " lines in " + path, deadline);
}

}  // namespace certile::conformance
