#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "reference/values/result.hpp"

namespace certile {

// Whether a worker speaks the protocol: it is greeted and asked eight calls that any Tile gets right, each by
// itself and then, where it takes batches, all of them in one message.
struct WorkerCheck {
  struct Step {
    std::string asked;  // a literal, or what else was done
    std::string wrong;  // empty: it was as it should be; else what was not, and the cure
  };
  std::string greeting;  // what it says of itself
  std::vector<Step> steps;
  bool speaks = true;  // false: it said something that the protocol does not have
  std::string diagnostics;

  bool is_right() const;
};

// Errors: io where the worker does not start.  It ends soon once `interrupted()` is set; what it found by
// then means nothing.
Result<WorkerCheck> check_worker(const std::string& command);

// `certile worker-check COMMAND`: shows each step.  The exit code: 0, 1 where an answer is wrong, 4 where it
// does not start or does not speak the protocol, 130 where it is interrupted.
int worker_check_command(const std::string& command, std::ostream& out, std::ostream& error);

}  // namespace certile
