#include "conformance/ask/rig/soak.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "backends/plugin/plugin_call.hpp"
#include "conformance/ask/rig/concurrent_runs.hpp"
#include "conformance/ask/rig/confined_thread.hpp"
#include "conformance/ask/rig/kept_calls.hpp"
#include "conformance/ask/rig/output_bytes.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/ask/rig/unlike_calls.hpp"
#include "reference/values/mix.hpp"
#include "reference/values/packed.hpp"

namespace certile::conformance {
namespace {

using Seconds = std::chrono::duration<double>;

// A number of seconds.  Time of processors is what a busy machine does not stretch; the wall clock stops
// calls that wait.
struct Patience {
  double processors, wall;
};
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

}  // namespace

bool SoakLength::goes_on(std::int64_t calls, const Growth& growth) const {
  const bool may_leak = growth.is_suspicious();
  if (may_leak && !growth.charge().empty()) return false;
  if (calls >= (may_leak ? std::max(wanted_, Growth::long_enough + wanted_) : wanted_)) return false;
  const Patience& patience = may_leak ? with_growth : usual;
  return static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC < patience.processors &&
         Seconds(std::chrono::steady_clock::now() - begin_).count() < patience.wall;
}

bool SoakLength::is_too_slow() const noexcept {
  return Seconds(std::chrono::steady_clock::now() - begin_).count() >= with_growth.wall;
}

// Compares the output of each call with that of the first one.
void Rig::soak(const backends::Plugin& backend, const Request& request, const Shape& shape, Reply& reply) {
  const bool infers = backend.claim().infers;
  const Status inferred = reply.inferred, ended = reply.runs[1].end;
  const ElementType type = request.data.front().type();
  Arena& output = arenas_[output_operand];
  const backends::PluginCall call = call_of(request);
  const certile_tensor given =
      backends::c_tensor(MutableTensorView{type, shape, {output.seen(), output.written().size()}});
  const std::byte last_used =
      is_packed(type) ? used_bits_of_last_byte(type, element_count(shape).value()) : std::byte{0xff};
  const bool is_text = type == ElementType::string;
  std::vector<std::byte> first;
  const auto content = [&](std::byte pattern) {
    return flatten_strings(output.written(), element_count(shape).value(), pattern, request.reply_limit / 2);
  };
  if (ended == Status::ok) {
    const auto written = output.written();
    first = is_text ? content(poison[0]) : std::vector(written.begin(), written.end());
    if (is_packed(type) && !first.empty()) first.back() &= last_used;
  }
  // Returns true if the call, before which the output had this pattern, was answered like the first one.
  const auto is_answer = [&](const backends::Ran& ran, std::byte pattern) {
    if (ran.status != ended || ran.changed_descriptor()) return false;
    const auto written = output.written();
    if (ended != Status::ok)
      return std::ranges::all_of(written, [pattern](std::byte byte) { return byte == pattern; });
    if (is_text) return content(pattern) == first;
    if (is_packed(type) && !written.empty()) written.back() &= last_used;
    return written.empty() || std::memcmp(written.data(), first.data(), first.size()) == 0;
  };
  // Where earlier calls have used up what there is, nothing grows any more: a fresh process shows what they
  // did.
  if (after_first_ && has_run_low(*after_first_))
    throw NotPossible{"earlier calls have kept too many descriptors, threads or mappings"};
  UnlikeCalls unlike(backend, request, shape, control_->calls);
  Growth growth;
  SoakLength length(request.placement.calls);
  for (std::int64_t number = 1;; ++number) {
    const std::byte pattern = poison[static_cast<std::size_t>(number % 2)];
    const auto written = output.written();
    prepare(written, number, pattern, ended == Status::ok && !is_text);
    bool is_alike = true;
    control_->phase.store(Phase::second_run, std::memory_order_relaxed);
    if (infers) {
      control_->calls.begin_alone();
      const backends::Inferred again = backend.infer(call);
      control_->calls.end_alone();
      is_alike = again.status == inferred && (inferred != Status::ok || again.shape == reply.shape);
    }
    control_->calls.begin_alone();
    backends::Ran ran = backend.run(call, given);
    control_->calls.end_alone();
    control_->phase.store(Phase::collect, std::memory_order_relaxed);
    is_alike = is_alike && is_answer(ran, pattern);
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
  const KeptCalls kept(backend, request, shape, control_->calls);
  const auto run_once_more = [&](std::byte pattern) {
    std::ranges::fill(output.written(), pattern);
    control_->phase.store(Phase::second_run, std::memory_order_relaxed);
    control_->calls.begin_alone();
    backends::Ran ran = backend.run(call, given);
    control_->calls.end_alone();
    return ran;
  };
  const auto note_unlike = [&](std::byte pattern, backends::Ran ran) {
    reply.late_call = request.placement.calls + 1;
    reply.runs[1] = reply_of(request, shape, pattern, std::move(ran), &reply.runs[0]);
  };
  control_->phase.store(Phase::concurrent_runs, std::memory_order_relaxed);
  reply.leaked = kept.kept();
  {
    // [CT-STATE] a thread that may not use all processors is given no others, and [CT-STEADY] gets the answer
    ConfinedThread confined;
    backends::Ran ran = run_once_more(poison[0]);
    reply.changed_state = confined.changed();
    if (!is_answer(ran, poison[0])) return note_unlike(poison[0], std::move(ran));
  }
  if (!is_text || ended != Status::ok) return;
  // [CT-ALIAS] characters last until the next run of their thread, whatever others run
  backends::Ran ran = run_once_more(poison[1]);
  kept.call_with_other_strings();
  control_->phase.store(Phase::collect, std::memory_order_relaxed);
  if (!is_answer(ran, poison[1])) note_unlike(poison[1], std::move(ran));
}

}  // namespace certile::conformance
