#pragma once
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace certile::conformance {

// Runs of the program itself, as a shell would make them.

struct ProgramRun {
  int exit_code = -1;  // minus the number of the signal that ended it
  std::string out, error;
};

// The time that a program gets: far more than any test needs, and less than what CTest gives a test, so that
// a program which never ends fails its test with a sentence.
inline constexpr std::chrono::milliseconds program_deadline = std::chrono::minutes(10);

// Returns the words that start the program with these arguments.
std::vector<std::string> program_words(const std::vector<std::string>& arguments);
ProgramRun run_program(const std::vector<std::string>& arguments);

using Words = std::vector<std::string>;
inline Words with_words(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Runs `certile …` as text, the way a report prints it, through a shell.
ProgramRun run_in_shell(const std::string& command);

// A run that goes on while the test does; its output is in files until `wait`.
class StartedProgram {
 public:
  explicit StartedProgram(const std::vector<std::string>& arguments);
  pid_t id() const noexcept { return process_; }
  // Returns how the program ended.  At the deadline the test fails, and the program is killed.
  ProgramRun wait(std::chrono::milliseconds deadline = program_deadline);

 private:
  std::string command_, out_path_, error_path_;
  pid_t process_;
};

// Waits for an event, as what a test waits for is never a time.  At the deadline the test fails, and says
// what it waited for.
void wait_until(const std::function<bool()>& happened, const std::string& event,
                std::chrono::milliseconds deadline = program_deadline);
// Waits until `path` has at least `lines` lines.
void wait_for_lines(const std::string& path, long lines,
                    std::chrono::milliseconds deadline = program_deadline);

}  // namespace certile::conformance
