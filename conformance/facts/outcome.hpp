#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// The outcome of a call that returned: a fact, not a judgement.
struct Produced {
  std::vector<Tensor> outputs;  // one per concurrent call; none if only the shape was asked for
};
struct Refused {
  std::string message;
};
struct Unsupported {
  std::string message;
};
struct Failed {  // it says itself that it failed; never a refusal
  bool out_of_memory = false;
  std::string message;
};
struct Crashed {
  int signal = 0;     // 0: the process ended by itself, with `exit_code`
  int exit_code = 0;  // may be 0, because a backend must not end the process
  std::string message;
};
struct TimedOut {
  int milliseconds = 0;
};
// A call that certile could not make, or whose answer it could not examine; no fact about the implementation.
struct NotAsked {
  std::string why;
  bool late = false;  // certile's own work took too long
};
using Outcome = std::variant<Produced, Refused, Unsupported, Failed, Crashed, TimedOut, NotAsked>;

// The reason of a failure.  Separate from the verdict, so that there are only seven verdicts.
enum class Fault {
  none,
  shape,
  type,
  elements,
  refused,
  accepted,
  wrote_outside,
  read_outside,
  changed_input,
  aliased,
  left_unwritten,
  unsteady,
  misplaced,
  raced,
  wrote_on_refusal,
  changed_state,
  leaked,
  called_oracle,
  claim,
  crash,
  timeout,
  memory,
  failed,
};
std::string_view name(Fault fault) noexcept;  // "wrote-outside": as records and waivers spell it
std::optional<Fault> fault_named(std::string_view name) noexcept;

// An observation of one case: the result of `infer`, the outcome of `run`, and the rig's findings.
struct Observation {
  std::optional<Result<Shape>> inferred;  // nothing: not asked, or the backend has no `infer`
  Outcome outcome;
  // The shape that `run` returned instead of the one that its output was made for.
  std::optional<Shape> produced_shape;
  std::vector<Fault> rig;        // the rig's findings, gravest first
  bool reproduces_alone = true;  // false: only after other cases, hence CT-STEADY
  std::string needed_calls;      // "a call, LITERAL": those after which it fails; empty: not known
  // The elements of each concurrent call's output that it did not write; empty if it wrote all.
  std::vector<std::vector<bool>> unwritten;
  std::string details;      // of the rig's findings, one sentence: "wrote 1 byte past the output"
  std::string diagnostics;  // both ends of the backend's output; untrusted
};

}  // namespace certile::conformance
