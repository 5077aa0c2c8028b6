#include "backends/builtin/builtin.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace certile::backends {
namespace {

struct TypeRow {
  std::uint32_t number;
  std::string_view name;
  unsigned bits;
  bool is_integer;
};

constexpr TypeRow types[] = {
#define ELEMENT_TYPE(name, bits, family, packing, number, format) \
  {number, #name, bits,                                           \
   std::string_view(#family) == "signed_integer" || std::string_view(#family) == "unsigned_integer"},
#include "reference/values/element_type.inc"
#undef ELEMENT_TYPE
};

// The names in the order of reports, as a claim lists them.
constexpr char names_of_definitions[] =
#define DEFINITION(identifier, name, prefix, number, form, strings) name " "
#include "reference/values/definitions.inc"
#undef DEFINITION
    ;

// Returns the names of the types for which `is_listed` returns true, as a claim lists them.
template <class IsListed>
std::string names_of_types(IsListed is_listed) {
  std::string names;
  for (const TypeRow& each : types)
    if (is_listed(each)) names += (names.empty() ? "" : " ") + std::string(each.name);
  return names;
}

// Returns true for every type that a definition accepts for repeats, tiles or axis, which the shape rules can
// read.
bool is_readable(const TypeRow& type) {
  return type.is_integer || type.number == CERTILE_F16 || type.number == CERTILE_F32 ||
         type.number == CERTILE_F64;
}

// A backend with the texts of its table.
struct Self {
  BuiltInBackend backend;
  std::string types, repeats_types;
};

std::int32_t say(certile_text* why, std::int32_t status, const char* text) noexcept {
  std::snprintf(why->utf8, why->capacity, "%s", text);
  return status;
}

// The axes of a call's output.  The usual number of axes needs no allocation.
class Ruled {
 public:
  explicit Ruled(const certile_call& call) : rules_(rule(call)) {}
  const RuledAxes& rules() const noexcept { return rules_; }
  OutputAxes axes() const noexcept { return {many_.empty() ? few_ : many_.data(), rules_.count}; }

 private:
  RuledAxes rule(const certile_call& call) {
    const std::size_t most = most_axes(call);
    if (most > usual) many_.resize(most);
    return apply_shape_rules(call, most > usual ? many_.data() : few_);
  }

  static constexpr std::size_t usual = 16;
  Axis few_[usual];
  std::vector<Axis> many_;
  RuledAxes rules_;
};

// Returns CERTILE_OK, or says why the call is not for this backend.
std::int32_t refuse(const Self& self, const Ruled& ruled, const certile_tensor& data, certile_text* why) {
  const RuledAxes& rules = ruled.rules();
  if (rules.status != CERTILE_OK) return say(why, rules.status, rules.why);
  if (self.backend.moves_packed_types || data.element_bits % 8 == 0) return CERTILE_OK;
  const auto* const type = std::find_if(std::begin(types), std::end(types), [&](const TypeRow& each) {
    return each.number == data.element_type;
  });
  const std::string name = type == std::end(types) ? "this type" : std::string(type->name);
  return say(why, CERTILE_UNSUPPORTED, (self.backend.name + " does not move " + name).c_str());
}

std::int32_t infer(void* self, const certile_call* call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t* rank, certile_text* why) {
  try {
    const Ruled ruled(*call);
    if (const std::int32_t refused = refuse(*static_cast<const Self*>(self), ruled, *call->data, why);
        refused != CERTILE_OK)
      return refused;
    const OutputAxes axes = ruled.axes();
    if (axes.count > static_cast<std::size_t>(capacity))
      return say(why, CERTILE_FAILED, "the output has more axes than the caller has room for");
    *rank = static_cast<std::int32_t>(axes.count);
    std::transform(axes.begin(), axes.end(), shape, [](const Axis& axis) { return axis.output; });
    return CERTILE_OK;
  } catch (const std::bad_alloc&) {
    return say(why, CERTILE_NO_MEMORY, "no memory for the axes");
  }
}

std::int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  try {
    const Self& own = *static_cast<const Self*>(self);
    const Ruled ruled(*call);
    if (const std::int32_t refused = refuse(own, ruled, *call->data, why); refused != CERTILE_OK)
      return refused;
    const OutputAxes axes = ruled.axes();
    if (!std::equal(axes.begin(), axes.end(), out->shape, out->shape + out->rank,
                    [](const Axis& axis, std::int64_t dimension) { return axis.output == dimension; }))
      return say(why, CERTILE_FAILED, "the output given does not have the inferred shape");
    if (ruled.rules().elements != 0) own.backend.move(axes, *call->data, *out);
    return CERTILE_OK;
  } catch (const std::bad_alloc&) {
    return say(why, CERTILE_NO_MEMORY, "no memory for an intermediate tensor");
  }
}

void destroy(void* self) {
  delete static_cast<Self*>(self);
}

}  // namespace

std::int32_t fill_table(certile_plugin& table, BuiltInBackend backend) {
  const bool packed = backend.moves_packed_types;
  auto self = std::make_unique<Self>();
  self->backend = std::move(backend);
  self->types = names_of_types([packed](const TypeRow& type) { return packed || type.bits % 8 == 0; });
  self->repeats_types = names_of_types(is_readable);
  table.struct_size = sizeof table;
  table.abi_major = CERTILE_ABI_MAJOR;
  table.abi_minor = CERTILE_ABI_MINOR;
  table.name = self->backend.name.c_str();
  table.version = self->backend.version.c_str();
  table.operators = names_of_definitions;
  table.types = self->types.c_str();
  table.repeats_types = self->repeats_types.c_str();
  table.infer = infer;
  table.run = run;
  table.destroy = destroy;
  table.self = self.release();
  return CERTILE_OK;
}

}  // namespace certile::backends
