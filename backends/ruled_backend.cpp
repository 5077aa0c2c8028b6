#include "backends/ruled_backend.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "backends/plugin/c_call.hpp"

namespace certile {

namespace {

// What puts the call beyond the claim; empty when nothing does.
std::string beyond(const Description& claim, ElementType type, const Shape& output) {
  if (std::find(claim.types.begin(), claim.types.end(), type) == claim.types.end())
    return claim.name + " does not move " + std::string(name(type));
  if (claim.max_rank && output.size() > static_cast<std::size_t>(*claim.max_rank))
    return claim.name + " goes to rank " + std::to_string(*claim.max_rank);
  const std::int64_t count = element_count(output).value();  // the shape rules saw to it that there is one
  if (claim.max_elements && count > *claim.max_elements)
    return claim.name + " goes to " + std::to_string(*claim.max_elements) + " elements";
  const auto bytes = byte_size(type, count);
  if (claim.max_bytes && (!bytes || *bytes > static_cast<std::size_t>(*claim.max_bytes)))
    return claim.name + " goes to " + std::to_string(*claim.max_bytes) + " bytes";
  return {};
}

Shape output_of(const std::vector<Axis>& axes) {
  Shape shape;
  shape.reserve(axes.size());
  for (const Axis& axis : axes)
    shape.push_back(axis.output);
  return shape;
}

}  // namespace

Result<RuledBackend::Ruled> RuledBackend::ruling(const Call& call) const {
  Ruling ruling = apply_shape_rules(CCall(call).get());
  if (ruling.status == CERTILE_REJECTED) return Error{Error::Code::rejected, ruling.why};
  if (ruling.status != CERTILE_OK) return Error{Error::Code::unsupported, ruling.why};
  Ruled ruled{std::move(ruling.axes), {}};
  ruled.output = output_of(ruled.axes);
  std::string refusal = beyond(claim_, call.data.type, ruled.output);
  if (!refusal.empty()) return Error{Error::Code::unsupported, std::move(refusal)};
  return ruled;
}

Result<Shape> RuledBackend::infer(const Call& call) {
  auto ruled = ruling(call);
  if (!ruled) return ruled.error();
  return std::move(ruled->output);
}

Result<Backend::Filled> RuledBackend::run(const Call& call, MutableTensorView out) {
  const auto ruled = ruling(call);
  if (!ruled) return ruled.error();
  if (!std::equal(ruled->output.begin(), ruled->output.end(), out.shape.begin(), out.shape.end()))
    return Error{Error::Code::backend_failed, "the output given does not have the inferred shape"};
  if (is_empty(ruled->axes)) return Filled{};
  try {
    move_elements(ruled->axes, call.data, out);
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
