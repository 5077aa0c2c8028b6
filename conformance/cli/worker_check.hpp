#pragma once
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A check that a worker speaks the protocol: certile greets it and sends eight calls that any Tile gets
// right.
struct WorkerCheck {
  struct Step {
    std::string asked;  // a literal, or the name of another step
    std::string wrong;  // the error and its cure; empty: the step succeeded
  };
  std::string greeting;  // the worker's claim, in one line
  std::vector<Step> steps;
  bool speaks = true;  // false: the worker sent something that the protocol does not have
  std::string diagnostics;

  bool is_right() const;
};

// Checks the worker that the command starts.  Of the options, the program, the limit of memory and
// the sandbox count.  Error: io if the worker does not start.  Returns soon after `interrupted()` is set; the
// result then means nothing.
Result<WorkerCheck> check_worker(const std::string& command, const IsolateOptions& options);

}  // namespace certile::conformance
