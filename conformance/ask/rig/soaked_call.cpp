#include "conformance/ask/rig/soaked_call.hpp"

#include <algorithm>

#include "conformance/ask/rig/output_bytes.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "reference/values/packed.hpp"

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

}  // namespace certile::conformance
