#include "backends/ruled_backend.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "backends/plugin/c_call.hpp"

namespace certile {

Result<std::vector<Axis>> RuledBackend::ruling(const Call& call) const {
  Ruling ruling = apply_shape_rules(CCall(call).get());
  if (ruling.status == CERTILE_REJECTED) return Error{Error::Code::rejected, ruling.why};
  if (ruling.status != CERTILE_OK) return Error{Error::Code::unsupported, ruling.why};
  if (std::find(claim_.types.begin(), claim_.types.end(), call.data.type) == claim_.types.end())
    return Error{Error::Code::unsupported,
                 claim_.name + " does not move " + std::string(name(call.data.type))};
  return std::move(ruling.axes);
}

Result<Shape> RuledBackend::infer(const Call& call) {
  const auto axes = ruling(call);
  if (!axes) return axes.error();
  Shape shape;
  shape.reserve(axes->size());
  for (const Axis& axis : *axes)
    shape.push_back(axis.output);
  return shape;
}

Result<Backend::Filled> RuledBackend::run(const Call& call, MutableTensorView out) {
  const auto axes = ruling(call);
  if (!axes) return axes.error();
  const auto same = [](const Axis& axis, std::int64_t dimension) { return axis.output == dimension; };
  if (!std::equal(axes->begin(), axes->end(), out.shape.begin(), out.shape.end(), same))
    return Error{Error::Code::backend_failed, "the output given does not have the inferred shape"};
  if (is_empty(*axes)) return Filled{};
  try {
    move_elements(*axes, call.data, out);
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
