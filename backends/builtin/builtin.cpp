#include "backends/builtin/builtin.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "backends/shape/shape_rules.hpp"
#include "backends/shape/tile_plan.hpp"

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

[[gnu::cold]] std::int32_t say(certile_text* why, std::int32_t status, const char* text) noexcept {
  std::snprintf(why->utf8, why->capacity, "%s", text);
  return status;
}

// Says that the backend does not move the type of the data.
[[gnu::cold]] std::int32_t say_unmoved(const Self& self, const certile_tensor& data, certile_text* why) {
  const auto* const type = std::find_if(std::begin(types), std::end(types), [&](const TypeRow& each) {
    return each.number == data.element_type;
  });
  const std::string name = type == std::end(types) ? "this type" : std::string(type->name);
  return say(why, CERTILE_UNSUPPORTED, (self.backend.name + " does not move " + name).c_str());
}

bool moves(const Self& self, const certile_tensor& data) noexcept {
  return self.backend.moves_packed_types || data.element_bits % 8 == 0;
}

std::int32_t infer(void* self, const certile_call* call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t* rank, certile_text* why) {
  const Self& own = *static_cast<const Self*>(self);
  const Ruling ruling = infer_shape(*call, shape, capacity, *rank);
  if (ruling.status != CERTILE_OK) return say(why, ruling.status, ruling.why);
  return moves(own, *call->data) ? CERTILE_OK : say_unmoved(own, *call->data, why);
}

// Plans a call that is not of the usual kind.  Returns CERTILE_OK, or says why it is refused.
[[gnu::noinline]] std::int32_t plan_or_say(const certile_call& call, const certile_tensor& out,
                                           TilePlan& plan, certile_text* why) noexcept {
  const Ruling ruling = plan_any_call(call, out, plan);
  return ruling.status == CERTILE_OK ? CERTILE_OK : say(why, ruling.status, ruling.why);
}

std::int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const Self& own = *static_cast<const Self*>(self);
  TilePlan plan;
  if (__builtin_expect(!plan_usual_call(*call, *out, plan), false))
    if (const std::int32_t status = plan_or_say(*call, *out, plan, why); status != CERTILE_OK) return status;
  if (__builtin_expect(!moves(own, *call->data), false)) return say_unmoved(own, *call->data, why);
  if (plan.output_bits == 0) return CERTILE_OK;
  try {
    own.backend.move(own.backend.state.get(), plan, *call->data, *out);
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
