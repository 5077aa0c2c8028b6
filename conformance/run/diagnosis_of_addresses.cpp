#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/run/diagnosis.hpp"

// Explains crashes by the addresses of the buffers.

namespace certile::conformance {
namespace {

constexpr int widest = 64;  // the alignment of the widest vector, in bytes

// Returns the call with its data `data` bytes behind a multiple of 64, and its output `output` bytes.
Case call_at(const Case& question, int data, int output) {
  Case call = question;
  call.placement = {.offset = data};
  if (output != data) call.placement.output_offset = output;
  return call;
}

int bytes_of_element(ElementType type) {
  return is_packed(type) ? 1 : std::max(1, bits(type) / 8);
}

// Returns true if an instruction crashed, and the process did not end itself.
bool has_crashed(const Judged& judged) {
  const auto* const crashed = std::get_if<Crashed>(&judged.seen.outcome);
  return crashed != nullptr && (crashed->signal == SIGSEGV || crashed->signal == SIGBUS) &&
         judged.seen.rig.empty();
}

struct Moved {
  const char* words;
  bool data, output;
};
constexpr Moved moved[] = {{"the output begins", false, true},
                           {"the data begin", true, false},
                           {"data and output begin", true, true}};

}  // namespace

// [CT-PLACE] Asks the call where each buffer begins a page, and then at offsets, from the largest power of 2
// down: an instruction that needs an aligned address crashes at all that are no multiple of some power.
Result<std::optional<Amendment>> Diagnosis::explain_crash_by_address(const Judged& judged) {
  const std::optional<Amendment> nothing;
  if (!has_crashed(judged) || judged.question.placement.shape_only ||
      backends::worker_command(options_.spelling))
    return nothing;
  const int least = bytes_of_element(judged.question.data.type());
  PlannedCase planned;  // the one that was asked last
  const auto crash_at = [&](const Case& call) -> Result<std::optional<Judged>> {
    planned = planned_case(call);
    auto asked = ask_alone(planned);
    if (!asked) return asked.error();
    return has_crashed(*asked) ? std::optional(*std::move(asked)) : std::optional<Judged>();
  };
  Case aligned = judged.question;
  aligned.placement = {.guard = Placement::Guard::before};
  for (const Case& call : {aligned, call_at(judged.question, least, least)}) {
    const auto crash = crash_at(call);
    if (!crash) return crash.error();
    const bool is_aligned = call.placement.guard != Placement::Guard::none;
    if (crash->has_value() == is_aligned) return nothing;
  }
  for (const Moved& each : moved)
    for (int offset = widest / 2; offset >= least; offset /= 2) {
      auto crash = crash_at(call_at(judged.question, each.data ? offset : 0, each.output ? offset : 0));
      if (!crash) return crash.error();
      if (!*crash) continue;
      Judged& misplaced = **crash;
      misplaced.seen.rig = {Fault::misplaced};
      misplaced.seen.details =
          fmt::format("it crashes only where {} at no multiple of {}", each.words, 2 * offset);
      return std::optional(judged_again(misplaced, session_->claim(), session_->door()));
    }
  return nothing;
}

}  // namespace certile::conformance
