/* The entry point of every mutant: one library for all, whose file name selects the mutant. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "right_tile.h"

/* clang-format off */
#define MUTANT(id, name, tier, operators, caught_by, words) extern const Mutant name;
#define LIAR(id, name, exposed, words) extern const Mutant name;
#define INJECTION(id, name, words) extern const Mutant name;
#define ODD(id, name, words) extern const Mutant name;
#include "mutants.inc"
#include "liars.inc"
#include "injections.inc"
#include "odd.inc"
#undef MUTANT
#undef LIAR
#undef INJECTION
#undef ODD

static const struct { const char* id; const Mutant* mutant; } all[] = {
#define MUTANT(id, name, tier, operators, caught_by, words) {#id, &name},
#define LIAR(id, name, exposed, words) {#id, &name},
#define INJECTION(id, name, words) {#id, &name},
#define ODD(id, name, words) {#id, &name},
#include "mutants.inc"
#include "liars.inc"
#include "injections.inc"
#include "odd.inc"
};
/* clang-format on */

static const Mutant right;
static char name_of_file[32] = "M00";

static int32_t infer(void* self, const certile_call* call, int64_t* shape, int32_t capacity, int32_t* rank,
                     certile_text* why) {
  Plan plan;
  (void)self;
  int32_t status = make_plan(&plan, call, why, 1);
  if (chosen->infer != 0) status = chosen->infer(&plan, status);
  if (status != CERTILE_OK) return status;
  if (plan.rank > capacity) return say(&plan, CERTILE_FAILED, "there is no room for so many dimensions");
  memcpy(shape, plan.shape, (size_t)plan.rank * sizeof *shape);
  *rank = plan.rank;
  return CERTILE_OK;
}

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  Plan plan;
  (void)self;
  const int32_t status = make_plan(&plan, call, why, 0);
  const int has_elements = status == CERTILE_OK && plan.count > 0;
  const int is_wrong = chosen->run != 0 && (chosen->when == 0 || (has_elements && chosen->when(&plan, out)));
  return is_wrong ? chosen->run(&plan, out, status) : right_run(&plan, out, status);
}

static void destroy(void* self) {
  (void)self;
  if (chosen->destroy != 0) chosen->destroy();
}

/* Chooses M05 for …/M05.so, and M00, the right one, for an unknown name. */
static void choose(void) {
  Dl_info here;
  chosen = &right;
  if (dladdr(&chosen, &here) == 0 || here.dli_fname == 0) return;
  const char* slash = strrchr(here.dli_fname, '/');
  const char* name = slash != 0 ? slash + 1 : here.dli_fname;
  const size_t length = strcspn(name, ".");
  for (size_t each = 0; each < sizeof all / sizeof *all; ++each) {
    if (strlen(all[each].id) != length || strncmp(all[each].id, name, length) != 0) continue;
    chosen = all[each].mutant;
    snprintf(name_of_file, sizeof name_of_file, "%s", all[each].id);
  }
}

__attribute__((visibility("default"))) int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor,
                                                                   certile_plugin* plugin) {
  (void)host_minor;
  if (host_major != CERTILE_ABI_MAJOR) return CERTILE_UNSUPPORTED;
  choose();
  plugin->struct_size = sizeof *plugin;
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = name_of_file;
  plugin->version = "1";
  plugin->operators = names_of_definitions;
  plugin->types =
      "boolean i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 f16 bf16 f32 f64 nf4 f8e4m3 f8e5m2 f8e8m0 "
      "f4e2m1 c64 c128 string";
  plugin->repeats_types = "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64";
  plugin->max_rank = MOST_AXES;
  plugin->infer = infer;
  plugin->run = run;
  plugin->destroy = destroy;
  if (chosen->open != 0) chosen->open(plugin);
  return CERTILE_OK;
}
