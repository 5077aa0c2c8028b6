#include "conformance/ask/rig/soak.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/concurrent_runs.hpp"
#include "conformance/ask/rig/leak_probe.hpp"
#include "conformance/ask/rig/made_otherwise.hpp"
#include "conformance/ask/rig/output_bytes.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/ask/rig/unlike_calls.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

SoakedCall::SoakedCall(const backends::Plugin& backend, const Request& request, const Shape& shape,
                       Arena& output, ControlBlock& control, Status ended)
    : backend_(backend),
      request_(request),
      shape_(shape),
      output_(output),
      control_(control),
      type_(request.data.front().type()),
      ended_(ended),
      last_used_(is_packed(type_) ? used_bits_of_last_byte(type_, element_count(shape).value())
                                  : std::byte{0xff}) {
  if (!is_answered()) return;
  const auto written = output_.written();
  first_ = is_text() ? strings(Rig::poison[0]) : std::vector(written.begin(), written.end());
  if (is_packed(type_) && !first_.empty()) first_.back() &= last_used_;
}

backends::Inferred SoakedCall::infer(const certile_call& call) const {
  control_.phase.store(Phase::second_run, std::memory_order_relaxed);
  control_.calls.begin_alone();
  backends::Inferred inferred = backend_.infer(call);
  control_.calls.end_alone();
  return inferred;
}

backends::Ran SoakedCall::run(const certile_call& call) const {
  const certile_tensor given =
      backends::c_tensor(MutableTensorView{type_, shape_, {output_.seen(), output_.written().size()}});
  control_.phase.store(Phase::second_run, std::memory_order_relaxed);
  control_.calls.begin_alone();
  backends::Ran ran = backend_.run(call, given);
  control_.calls.end_alone();
  control_.phase.store(Phase::collect, std::memory_order_relaxed);
  return ran;
}

backends::Ran SoakedCall::run(const certile_call& call, std::byte pattern) const {
  std::ranges::fill(output(), pattern);
  return run(call);
}

backends::Ran SoakedCall::run_at(std::span<std::byte> place, const certile_call& call,
                                 std::byte pattern) const {
  std::ranges::fill(place, pattern);
  const certile_tensor given = backends::c_tensor(MutableTensorView{type_, shape_, place});
  control_.calls.begin();
  backends::Ran ran = backend_.run(call, given);
  control_.calls.end();
  std::ranges::copy(place, output().begin());
  return ran;
}

bool SoakedCall::is_alike(const backends::Ran& ran, std::byte pattern) const {
  if (ran.status != ended_ || ran.changed_descriptor()) return false;
  const auto written = output();
  if (!is_answered())
    return std::ranges::all_of(written, [pattern](std::byte byte) { return byte == pattern; });
  if (is_text()) return strings(pattern) == first_;
  if (is_packed(type_) && !written.empty()) written.back() &= last_used_;
  return same_bytes(written, first_);
}

std::vector<std::byte> SoakedCall::strings(std::byte pattern) const {
  return flatten_strings(output(), element_count(shape_).value(), pattern, request_.reply_limit / 2);
}

namespace {

constexpr Patience usual{1, 3}, with_growth{4, 9};

// Prepares an output for the call of this number.  Every fourth call finds the answer of the call before, but
// for one byte, as where a caller computes in place; before the others the bytes alternate, so that what a
// call leaves unwritten differs too.
void prepare(std::span<std::byte> output, std::int64_t number, std::byte pattern, bool may_keep) {
  if (may_keep && number % 4 == 2 && !output.empty())
    output[mix(static_cast<std::uint64_t>(number)) % output.size()] ^= std::byte{0xff};
  else
    std::ranges::fill(output, pattern);
}

// Makes the call in other ways than before.  Returns the first answer that is unlike, and what the call
// has changed in its thread.
std::optional<UnlikeAnswer> make_otherwise(const SoakedCall& soaked, const certile_call& call,
                                           UnlikeCalls& unlike, const LeakProbe& kept,
                                           std::string& changed_state) {
  {
    // [CT-STATE] a thread that may not use all processors is given no others, and [CT-STEADY] gets the answer
    ConfinedThread confined;
    backends::Ran ran = soaked.run(call, Rig::poison[0]);
    changed_state = confined.changed();
    if (!soaked.is_alike(ran, Rig::poison[0])) return UnlikeAnswer{std::move(ran), Rig::poison[0]};
  }
  if (!soaked.is_answered()) return std::nullopt;
  if (auto found = made_after_changes_in_place(unlike, soaked)) return found;
  if (auto found = made_after_another_repeat(soaked)) return found;
  if (auto found = made_next_to_its_data(soaked)) return found;
  if (auto found = made_in_structures_of(unlike, soaked)) return found;
  // Each takes some milliseconds.
  constexpr int long_soak = 100'000;
  if (soaked.request().placement.calls >= long_soak)
    if (auto found = made_among_many_threads(unlike, soaked)) return found;
  if (!soaked.is_text()) return std::nullopt;
  // [CT-ALIAS] characters last until the next run of their thread, whatever others run
  backends::Ran ran = soaked.run(call, Rig::poison[1]);
  kept.call_with_other_strings();
  if (soaked.is_alike(ran, Rig::poison[1])) return std::nullopt;
  return UnlikeAnswer{std::move(ran), Rig::poison[1]};
}

}  // namespace

bool SoakLength::goes_on(std::int64_t calls, const Growth& growth) const {
  const bool may_leak = growth.is_suspicious();
  if (may_leak && !growth.charge().empty()) return false;
  if (calls >= (may_leak ? std::max(wanted_, Growth::long_enough + wanted_) : wanted_)) return false;
  return !stopwatch_.exceeds(may_leak ? with_growth : usual);
}

bool SoakLength::is_too_slow() const noexcept {
  return stopwatch_.exceeds({with_growth.wall, with_growth.wall});
}

// Compares the output of each call with that of the first one.
void Rig::soak(const backends::Plugin& backend, const Request& request, const Shape& shape, Reply& reply) {
  const bool infers = backend.claim().infers;
  const Status inferred = reply.inferred;
  Arena& output = arenas_[output_operand];
  const backends::PluginCall call = call_of(request);
  const SoakedCall soaked(backend, request, shape, output, *control_, reply.runs[1].end);
  // Where earlier calls have used up what there is, nothing grows any more: a fresh process shows what they
  // did.
  if (after_first_ && has_run_low(*after_first_))
    throw NotPossible{"earlier calls have kept too many descriptors, threads, processes or mappings"};
  UnlikeCalls unlike(backend, request, shape, control_->calls);
  constexpr std::size_t much = std::size_t{1} << 20;
  Growth growth = output.written().size() < much ? Growth() : Growth::of_large_calls();
  SoakLength length(request.placement.calls);
  for (std::int64_t number = 1;; ++number) {
    const std::byte pattern = poison[static_cast<std::size_t>(number % 2)];
    prepare(output.written(), number, pattern, soaked.is_answered() && !soaked.is_text());
    bool is_alike = true;
    if (infers) {
      const backends::Inferred again = soaked.infer(call);
      is_alike = again.status == inferred && (inferred != Status::ok || again.shape == reply.shape);
    }
    backends::Ran ran = soaked.run(call);
    is_alike = is_alike && soaked.is_alike(ran, pattern);
    const bool sampled = growth.note(number);
    if (!is_alike || (sampled && (!output.guards_intact() || !inputs_unchanged(request)))) {
      reply.late_call = number;
      reply.runs[1] = reply_of(request, shape, pattern, std::move(ran), &reply.runs[0]);
      break;
    }
    if (sampled ? !length.goes_on(number, growth) : length.is_too_slow()) break;
    // [CT-LEAK] what a program keeps for each shape, number of repeats or type is kept here too
    if (number % 2 == 0) unlike.call_once();
  }
  reply.leaked = growth.charge();
  if (!reply.leaked.empty() || reply.late_call != 0) return;
  const LeakProbe kept(backend, request, shape, control_->calls);
  control_->phase.store(Phase::concurrent_runs, std::memory_order_relaxed);
  reply.leaked = kept.kept();
  if (auto found = make_otherwise(soaked, call, unlike, kept, reply.changed_state)) {
    reply.late_call = request.placement.calls + 1;
    reply.runs[1] = reply_of(request, shape, found->pattern, std::move(found->ran), &reply.runs[0]);
    if (found->reason != nullptr) reply.runs[1].*found->reason = true;
  }
}

}  // namespace certile::conformance
