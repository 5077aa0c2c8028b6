#include "conformance/ask/rig/rig.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/concurrent_runs.hpp"
#include "conformance/ask/rig/fault_handler.hpp"
#include "conformance/ask/rig/output_bytes.hpp"
#include "conformance/ask/rig/soak.hpp"
#include "conformance/ask/rig/stacks.hpp"
#include "conformance/ask/rig/string_characters.hpp"
#include "reference/values/oracle_calls.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t small_operand = 1 << 16;  // bytes that repeats, axis or a shape may take

const Rig* rig_in_use = nullptr;

// Returns the place of a buffer in its memory; `offset` is the buffer's own.
Spot spot_of(const Placement& placement, int offset, int side) {
  if (placement.guard == Placement::Guard::after) return {Spot::Side::right, 0};
  if (placement.guard == Placement::Guard::before) return {Spot::Side::left, 0};
  if (placement.chooses_addresses()) return {Spot::Side::inside, offset};
  return {side == 0 ? Spot::Side::right : Spot::Side::left, 0};
}

TensorView view_in(const Arena& arena, const Tensor& tensor) {
  return {tensor.type(), tensor.shape(), {arena.seen(), tensor.bytes().size()}};
}

}  // namespace

Result<Rig> Rig::create(std::size_t capacity, ControlBlock& control) {
  std::vector<Arena> arenas;
  for (std::size_t operand = 0; operand < operand_count; ++operand) {
    const bool input = operand != output_operand;
    const bool small = operand == repeats_operand || operand == axis_operand || operand == dimensions;
    auto arena = Arena::create(small ? small_operand : capacity + 2 * Arena::guard_bytes, input,
                               input ? Arena::input_guard : Arena::output_guard);
    if (!arena) return arena.error();
    arenas.push_back(*arena);
  }
  return Rig(std::move(arenas), control);
}

const Rig* Rig::current() noexcept {
  return rig_in_use;
}

void Rig::note_fault(const void* address, bool writing) const noexcept {
  const Phase phase = control_->phase.load();
  if (phase == Phase::prepare || phase == Phase::collect || phase == Phase::idle) return;
  for (std::size_t operand = 0; operand < operand_count; ++operand) {
    const Arena::Location location = arenas_[operand].locate(address);
    if (!location.here) continue;
    // [CT-BOUNDS] the unreadable pages around a buffer
    Fault fault = writing ? Fault::wrote_outside : Fault::read_outside;
    // [CT-INPUT] inputs are read-only; the output's own bytes never fault
    if (location.distance == 0) fault = Fault::changed_input;
    control_->fault.operand.store(static_cast<std::uint32_t>(operand));
    control_->fault.distance.store(location.distance);
    control_->fault.fault.store(static_cast<std::uint32_t>(fault));
    return;
  }
  note_cause(address, writing);
}

void Rig::note_refused_access() const noexcept {
  control_->fault.cause.store(FaultCause::no_address);
}

void Rig::note_cause(const void* address, bool writing) const noexcept {
  constexpr std::uintptr_t first_page_of_all = 64 << 10;
  if (reinterpret_cast<std::uintptr_t>(address) < first_page_of_all) {
    control_->fault.cause.store(FaultCause::null_pointer);
    return;
  }
  // The output ends as far behind a multiple of 4 GiB as the data may, and only one of them is written.
  for (const Buffer operand :
       {writing ? output_operand : data_operand, writing ? data_operand : output_operand})
    if (arenas_[operand].is_multiples_of_4_gib_away(address)) {
      control_->fault.operand.store(static_cast<std::uint32_t>(operand));
      control_->fault.cause.store(FaultCause::index_of_32_bits);
      return;
    }
}

bool Rig::place_inputs(const Request& request, Spot spot, int side) {
  const Tensor& data = request.data.front();
  const auto order = side == 0 ? CharacterOrder::rising : CharacterOrder::falling;
  // A call for the shape alone has no elements; characters that do not fit stay where they are.
  views_.reset();
  if (data.type() == ElementType::string && !data.bytes().empty())
    views_ = place_characters(data, spot, order, arenas_[characters]);
  const auto fill = [&](Buffer operand, const Tensor& tensor) {
    Arena& arena = arenas_[operand];
    // The elements of repeats and axis have their own width in bytes: an offset that suits the data may not
    // suit theirs.
    Spot fitting = spot;
    if (spot.side == Spot::Side::inside && spot.offset * 8 % bits(tensor.type()) != 0 &&
        !is_packed(tensor.type()))
      fitting.offset = bits(tensor.type()) / 8;
    if (!arena.place(tensor.bytes().size(), fitting)) return false;
    const auto bytes = operand == data_operand ? bytes_of_data(request) : tensor.bytes();
    std::copy(bytes.begin(), bytes.end(), arena.written().begin());
    return true;
  };
  return place_shape(data.shape(), side) && fill(data_operand, data) &&
         fill(repeats_operand, request.repeats) && (!request.axis || fill(axis_operand, *request.axis));
}

// Places it as the data are placed: [CT-BOUNDS] [CT-INPUT] a shape has `rank` values, and is constant.
bool Rig::place_shape(const Shape& shape, int side) noexcept {
  const std::span<const std::byte> values = std::as_bytes(std::span(shape));
  Arena& arena = arenas_[dimensions];
  if (!arena.place(values.size(), {side == 0 ? Spot::Side::right : Spot::Side::left, 0})) return false;
  std::ranges::copy(values, arena.written().begin());
  return true;
}

std::span<const std::byte> Rig::bytes_of_data(const Request& request) const noexcept {
  return views_ ? std::span<const std::byte>(*views_) : request.data.front().bytes();
}

backends::PluginCall Rig::call_of(const Request& request) const noexcept {
  TensorView data = view_in(arenas_[data_operand], request.data.front());
  data.shape = {reinterpret_cast<const std::int64_t*>(arenas_[dimensions].seen()), data.shape.size()};
  return {request.definition, data, view_in(arenas_[repeats_operand], request.repeats),
          request.axis ? std::optional(view_in(arenas_[axis_operand], *request.axis)) : std::nullopt};
}

bool Rig::inputs_unchanged(const Request& request) const noexcept {
  const std::span<const std::byte> shape = std::as_bytes(std::span(request.data.front().shape()));
  return same_bytes(arenas_[data_operand].written(), bytes_of_data(request)) &&
         same_bytes(arenas_[dimensions].written(), shape) &&
         same_bytes(arenas_[repeats_operand].written(), request.repeats.bytes()) &&
         (!request.axis || same_bytes(arenas_[axis_operand].written(), request.axis->bytes()));
}

Reply Rig::answer(const backends::Plugin& backend, const Request& request) {
  rig_in_use = this;
  Reply reply;
  try {
    reply = make_calls(backend, request);
  } catch (const std::bad_alloc&) {
    reply = without_memory();
  } catch (NotPossible& lacking) {
    reply = not_possible(std::move(lacking.why));
  }
  control_->calls.end_alone();
  control_->phase.store(Phase::idle);
  if (!after_first_) after_first_ = amounts_now();
  return reply;
}

Reply Rig::make_calls(const backends::Plugin& backend, const Request& request) {
  const bool infers = backend.claim().infers;
  const std::uint64_t oracle_calls_before = oracle_calls.load();
  Reply reply;
  control_->phase.store(Phase::prepare, std::memory_order_relaxed);
  const int first_side = request.left_side_first ? 1 : 0;
  if (!place_inputs(request, spot_of(request.placement, request.placement.offset, first_side), first_side))
    throw NotPossible{"certile has no room for the inputs of this call"};
  if (infers) {
    backends::Inferred inferred = infer(backend, request, reply);
    reply.inferred = inferred.status;
    reply.shape = std::move(inferred.shape);
    reply.message = std::move(inferred.message);
  }
  // [CT-BOUNDS] the room for a message is what its capacity says; in one of the runs it is the least, or
  // lacks the last byte for what was said already
  constexpr std::uint32_t least_room = 64;
  const auto said = static_cast<std::uint32_t>(reply.message.size());
  little_room_ = request.left_side_first ? std::max(said, least_room) : least_room;
  const auto shape = shape_to_run(request, infers, reply, arenas_[output_operand].capacity());
  if (shape && request.placement.threads > 1 && request.shape_digest && reply.inferred != Status::rejected) {
    control_->phase.store(Phase::concurrent_runs);
    ConcurrentReply concurrent = run_concurrently(backend, request, *shape, control_->calls);
    reply.runs[0] = std::move(concurrent.run);
    reply.changed_state = std::move(concurrent.changed_state);
  } else if (shape) {
    earlier_views_.clear();
    reply.runs[first_side] = run_once(backend, request, *shape, first_side, nullptr);
    if (infers) infer_earlier(backend);
    reply.runs[1 - first_side] = run_once(backend, request, *shape, 1 - first_side, &reply.runs[first_side]);
    // Only one of the runs may have shown it, and the call is the same.
    if (std::exchange(overran_, false))
      for (RunReply& run : reply.runs) {
        run = {};
        run.end = Status::failed;
        run.message = "it wrote a message that does not end within the room for it";
      }
    // Padding bits may differ between two answers that are alike.
    const bool is_alike = reply.runs[1 - first_side].like_first || is_packed(request.data.front().type()) ||
                          reply.runs[0].end == Status::rejected;
    settle_runs(reply, request);
    if (reply.runs[0].end == Status::ok && reply.runs[1].like_first)
      run_prefilled(backend, request, *shape, reply);
    if (request.placement.calls > 1 && reply.runs[0].end == reply.runs[1].end && is_alike &&
        reply.held.empty())
      soak(backend, request, *shape, reply);
    settle_runs(reply, request);
  }
  reply.called_oracle = oracle_calls.load() != oracle_calls_before;
  if (infers) keep(request);
  return reply;
}

backends::Inferred Rig::infer(const backends::Plugin& backend, const Request& request, Reply& reply) {
  control_->phase.store(Phase::infer);
  if (request.placement.threads > 1) {
    ConcurrentInferred concurrent = infer_concurrently(backend, request, control_->calls);
    reply.infers_differently = concurrent.differ;
    control_->phase.store(Phase::prepare, std::memory_order_relaxed);
    return std::move(concurrent.inferred);
  }
  const backends::PluginCall call = call_of(request);
  control_->calls.begin_alone();
  backends::Inferred inferred = backend.infer(call);
  control_->calls.end_alone();
  control_->phase.store(Phase::prepare, std::memory_order_relaxed);
  return inferred;
}

void Rig::keep(const Request& request) {
  earlier_.reset();
  if (request.data.front().bytes().size() > small_operand) return;
  earlier_ = Earlier{request.definition, request.data.front(), request.repeats, request.axis};
}

void Rig::infer_earlier(const backends::Plugin& backend) {
  if (!earlier_) return;
  // [CT-STEADY] a run depends on its own call, not on what was inferred last
  const backends::PluginCall call{earlier_->definition, earlier_->data.view(), earlier_->repeats.view(),
                                  view_of(earlier_->axis)};
  control_->phase.store(Phase::infer);
  control_->calls.begin_alone();
  static_cast<void>(backend.infer(call));
  control_->calls.end_alone();
}

RunReply Rig::run_once(const backends::Plugin& backend, const Request& request, const Shape& shape, int side,
                       const RunReply* earlier) {
  const ElementType type = request.data.front().type();
  const auto count = element_count(shape);
  const auto size = count ? byte_size(type, *count) : std::nullopt;
  const Placement& placement = request.placement;
  const Spot spot = spot_of(placement, placement.offset, side);
  const Spot output_spot = spot_of(placement, placement.output_offset.value_or(placement.offset), side);
  Arena& output = arenas_[output_operand];
  control_->phase.store(Phase::prepare, std::memory_order_relaxed);
  if (!size || !place_inputs(request, spot, side) || !output.place(*size, output_spot))
    throw NotPossible{"certile has no room for the output of this call"};
  // [CT-WRITE] opposite patterns before the two runs: a byte that keeps both was not written
  const std::byte pattern = poison[static_cast<std::size_t>(side)];
  std::fill(output.written().begin(), output.written().end(), pattern);

  const backends::PluginCall call = call_of(request);
  const certile_tensor given = backends::c_tensor(MutableTensorView{type, shape, {output.seen(), *size}});
  control_->phase.store(side == 0 ? Phase::first_run : Phase::second_run);
  control_->calls.begin_alone();
  backends::Ran ran = backend.run(call, given, side == 0 ? backends::Plugin::usual_room : little_room_);
  control_->calls.end_alone();
  overran_ = overran_ || ran.overran;
  // [CT-ALIAS] characters last until the next run of the thread, whatever is inferred meanwhile
  if (type == ElementType::string && backend.claim().infers && earlier == nullptr) infer_earlier(backend);
  control_->phase.store(Phase::collect, std::memory_order_relaxed);
  return reply_of(request, shape, pattern, std::move(ran), earlier);
}

void Rig::run_prefilled(const backends::Plugin& backend, const Request& request, const Shape& shape,
                        Reply& reply) {
  Arena& output = arenas_[output_operand];
  const Prefill wanted = prefill_of(request, output.written().size());
  if (wanted == Prefill::none) return;
  const SoakedCall again(backend, request, shape, output, *control_, Status::ok);
  prefill(wanted, output.written());
  const backends::PluginCall call = call_of(request);
  backends::Ran ran = again.run(call);
  if (again.is_alike(ran, poison[0])) return;
  reply.runs[1] = reply_of(request, shape, poison[0], std::move(ran), &reply.runs[0]);
  reply.runs[1].wrote_on_refusal = false;  // which shows in a pattern alone
  // A call that differs each time differs after a pattern too.
  ran = again.run(call, poison[0]);
  if (again.is_alike(ran, poison[0])) reply.held = in_words(wanted);
}

RunReply Rig::reply_of(const Request& request, const Shape& shape, std::byte pattern, backends::Ran ran,
                       const RunReply* earlier) {
  const Arena& output = arenas_[output_operand];
  RunReply reply;
  reply.end = ran.status;
  reply.message = std::move(ran.message);
  // [CT-BOUNDS] guard bytes, on the sides of the output without an unreadable page
  reply.wrote_outside = !output.guards_intact();
  // [CT-INPUT] a write through another mapping; one through the call's own pointers faults, see note_fault
  reply.changed_input = !inputs_unchanged(request);
  if (ran.status == Status::ok) {
    // [CT-ALIAS] the output is in its buffer, not where a changed descriptor points
    reply.moved = ran.moved;
    reply.reshaped = ran.reshaped;
    reply.retyped = ran.retyped;
    reply.came = std::move(ran.shape);
    collect(request, shape, pattern, earlier, reply);
  } else {
    const auto written = output.written();
    // [CT-REFUSE] a refused call leaves the output unchanged
    const bool refused = reply.end == Status::rejected || reply.end == Status::unsupported;
    const bool is_as_it_was =
        std::all_of(written.begin(), written.end(), [pattern](std::byte byte) { return byte == pattern; });
    reply.wrote_on_refusal = ran.changed_descriptor() || (refused && !is_as_it_was);
  }
  return reply;
}

void Rig::collect(const Request& request, const Shape& shape, std::byte pattern, const RunReply* earlier,
                  RunReply& reply) {
  const auto is_like_earlier = [&](std::span<const std::byte> output) {
    return earlier != nullptr && !earlier->outputs.empty() && same_bytes(output, earlier->outputs.front());
  };
  const auto bytes = arenas_[output_operand].written();
  if (request.data.front().type() != ElementType::string) {
    reply.like_first = is_like_earlier(bytes);
    if (!reply.like_first) reply.outputs.emplace_back(bytes.begin(), bytes.end());
    return;
  }
  // [CT-ALIAS] characters of the output are not on a stack that later calls use
  overwrite_free_stack();
  reply.unwritten = holds_both_poisons(earlier_views_, bytes, pattern);
  earlier_views_.assign(bytes.begin(), bytes.end());
  auto flat = flatten_strings(bytes, element_count(shape).value(), pattern, request.reply_limit / 2);
  reply.like_first = is_like_earlier(flat);
  if (!reply.like_first) reply.outputs.push_back(std::move(flat));
}

}  // namespace certile::conformance
