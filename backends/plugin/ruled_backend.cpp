#include "backends/plugin/ruled_backend.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "backends/plugin/c_call.hpp"

namespace certile {

namespace {

Shape output_of(std::span<const Axis> axes) {
  Shape shape;
  shape.reserve(axes.size());
  for (const Axis& axis : axes)
    shape.push_back(axis.output);
  return shape;
}

// Says what puts the output beyond the claim's limits; empty if nothing does.
std::string beyond_limits(const Description& claim, ElementType type, const Shape& output) {
  if (claim.max_rank && output.size() > static_cast<std::size_t>(*claim.max_rank))
    return claim.name + " goes to rank " + std::to_string(*claim.max_rank);
  const std::int64_t count = element_count(output).value();  // the shape rules have refused an overflow
  if (claim.max_elements && count > *claim.max_elements)
    return claim.name + " goes to " + std::to_string(*claim.max_elements) + " elements";
  const auto bytes = byte_size(type, count);
  if (claim.max_bytes && (!bytes || *bytes > static_cast<std::size_t>(*claim.max_bytes)))
    return claim.name + " goes to " + std::to_string(*claim.max_bytes) + " bytes";
  return {};
}

// Copies the fields that the shape rules read.  Finding the alignment too would take longer than the rules
// do.
void to_c(const TensorView& tensor, certile_tensor& as_c) noexcept {
  as_c.struct_size = sizeof as_c;
  as_c.element_type = c_code(tensor.type);
  as_c.element_bits = static_cast<std::uint32_t>(bits(tensor.type));
  as_c.rank = static_cast<std::int32_t>(tensor.shape.size());
  as_c.shape = tensor.shape.data();
  as_c.data = const_cast<std::byte*>(tensor.bytes.data());  // never written
  as_c.byte_size = tensor.bytes.size();
  as_c.alignment = 1;
}

}  // namespace

RuledBackend::RuledBackend(Description claim)
    : claim_(std::move(claim)), has_limits_(claim_.max_rank || claim_.max_elements || claim_.max_bytes) {
  for (const ElementType type : claim_.types)
    moves_[static_cast<std::size_t>(type)] = true;
}

RuledBackend::Ruled::Ruled(const Call& call) : rules_(rule(call)) {}

RuledAxes RuledBackend::Ruled::rule(const Call& call) {
  certile_tensor data, repeats, axis;
  to_c(call.data, data);
  to_c(call.repeats, repeats);
  if (call.axis) to_c(*call.axis, axis);
  const certile_call as_c{sizeof as_c, c_code(call.definition), &data, &repeats, call.axis ? &axis : nullptr};
  const std::size_t most = most_axes(as_c);
  if (most > usual) many_.resize(most);
  return apply_shape_rules(as_c, most > usual ? many_.data() : few_);
}

std::optional<Error> RuledBackend::refusal(const Ruled& ruled, ElementType type) const {
  const RuledAxes& rules = ruled.rules();
  if (rules.status == CERTILE_REJECTED) return Error{Error::Code::rejected, rules.why};
  if (rules.status != CERTILE_OK) return Error{Error::Code::unsupported, rules.why};
  if (!moves_[static_cast<std::size_t>(type)])
    return Error{Error::Code::unsupported, claim_.name + " does not move " + std::string(name(type))};
  if (!has_limits_) return std::nullopt;
  std::string beyond = beyond_limits(claim_, type, output_of(ruled.axes()));
  if (beyond.empty()) return std::nullopt;
  return Error{Error::Code::unsupported, std::move(beyond)};
}

Result<Shape> RuledBackend::infer(const Call& call) {
  const Ruled ruled(call);
  if (auto refused = refusal(ruled, call.data.type)) return *std::move(refused);
  return output_of(ruled.axes());
}

Result<Backend::Filled> RuledBackend::run(const Call& call, MutableTensorView out) {
  const Ruled ruled(call);
  if (!is_plain(ruled, call.data.type))
    if (auto refused = refusal(ruled, call.data.type)) return *std::move(refused);
  const std::span<const Axis> axes = ruled.axes();
  if (!std::equal(axes.begin(), axes.end(), out.shape.begin(), out.shape.end(),
                  [](const Axis& axis, std::int64_t dimension) { return axis.output == dimension; }))
    return Error{Error::Code::backend_failed, "the output given does not have the inferred shape"};
  if (ruled.rules().elements == 0) return Filled{};
  try {
    move_elements(axes, call.data, out);
  } catch (const std::bad_alloc&) {
    return Error{Error::Code::out_of_memory, "no memory for an intermediate tensor"};
  }
  return Filled{};
}

std::vector<ElementType> readable_repeats_types() {
  std::vector<ElementType> types;
  for (const ElementType type : all_element_types())
    if (is_integer(type) || type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64)
      types.push_back(type);
  return types;
}

}  // namespace certile
