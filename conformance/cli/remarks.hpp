#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/ask/process/written_paths.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

// Writes "certile: " and the sentence, each of whose lines is made printable, and returns the exit code.
inline int complain(std::ostream& error, const std::string& sentence, int code = exit_bad_command) {
  error << "certile: " << printable_lines(sentence) << std::endl;
  return code;
}

// Complains of what failed, or says that the user interrupted it.  Returns the exit code.
inline int give_up(std::ostream& error, const std::string& sentence, int code) {
  return interrupted().load() ? complain(error, "interrupted", exit_interrupted)
                              : complain(error, sentence, code);
}

// Returns true for the first verdict of a user, and notes that it was shown, in certile/legend-shown of
// $XDG_STATE_HOME, which is ~/.local/state if it is not set.  Returns false where nothing can be noted.
bool is_first_verdict();

// The progress of a run, on standard error: a line that is updated on a terminal, else a line every ten
// seconds, which also has the plainest failure so far.
class Progress {
 public:
  Progress(const std::string& backend, std::int64_t planned);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(const Record& record);
  // Removes the line from the terminal, before something else is printed.
  void clear();

 private:
  std::string backend_;
  std::int64_t planned_, seen_ = 0, run_ = 0, failed_ = 0;
  std::optional<Plainness> plainest_;
  std::string clause_;  // to which the plainest failure is charged
  bool terminal_, shown_ = false;
  std::chrono::milliseconds interval_;  // between two lines
  std::chrono::steady_clock::time_point next_;
};

// Numbers of cases that would have taken too long, by the reason.
using LeftOut = std::map<std::string, std::int64_t>;
// Returns sentences about a run: the sum of the cases left out, which the verdict line has; a backend whose
// printing takes a large part of the run; and the files that a library opened to write to, and those that it
// could not open so.
std::vector<std::string> remarks_on(const Summary& summary, const LeftOut& left_out, std::uint64_t printed,
                                    const WrittenPaths& written);

}  // namespace certile::conformance
