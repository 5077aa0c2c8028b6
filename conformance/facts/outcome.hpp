#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// What the implementation did.  A fact; no judgement in it.
struct Produced {
  std::vector<Tensor> outputs;  // one per concurrent call; none where only the shape was asked
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
  int signal = 0;     // 0: it ended by itself, with `exit_code`
  int exit_code = 0;  // also where it was 0: a backend must not end the process
  std::string message;
};
struct TimedOut {
  int milliseconds = 0;
};
// Nothing that the implementation did: certile's own means did not suffice to ask it, or to look at its
// answer.
struct NotAsked {
  std::string why;
  bool late = false;  // certile's own work took too long
};
using Outcome = std::variant<Produced, Refused, Unsupported, Failed, Crashed, TimedOut, NotAsked>;

// Why a failure failed.  Kept apart from the verdict, so the seven words stay seven.
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
  called_oracle,
  claim,
  crash,
  timeout,
  memory,
  failed,
};
std::string_view name(Fault fault) noexcept;  // "wrote-outside": as records and waivers spell it
std::optional<Fault> fault_named(std::string_view name) noexcept;

// Everything seen of one case: what `infer` said, what `run` did, what the rig found around it.
struct Observation {
  std::optional<Result<Shape>> inferred;  // nothing: not asked, or the backend has no `infer`
  Outcome outcome;
  // The shape that `run` gave instead of the one that its output was made for.
  std::optional<Shape> produced_shape;
  std::vector<Fault> rig;        // what the rig found, gravest first
  bool reproduces_alone = true;  // false: only after other cases, hence CT-STEADY
  std::string details;           // of the rig's findings, one sentence: "wrote 1 byte past the output"
  std::string diagnostics;       // the end of what the backend printed meanwhile; untrusted
};

}  // namespace certile
