/* The entry point of every hostile plugin: one library for all, whose file name selects the behaviour. */
#include "hostile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
#define HOSTILE(id, name, shows, fault, clause, says, words) extern const Hostile name;
#include "hostile.inc"
#undef HOSTILE

static const struct { const char* id; const Hostile* hostile; } all[] = {
#define HOSTILE(id, name, shows, fault, clause, says, words) {#id, &name},
#include "hostile.inc"
};
/* clang-format on */

const Hostile* chosen;
static char name_of_file[32] = "H00";
static certile_plugin right;

/* The one case: f32[2,3] by {2,2}. */
static int is_the_case(const certile_call* call) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int64_t* times = (const int64_t*)repeats->data;
  return data->element_type == CERTILE_F32 && data->rank == 2 && data->shape[0] == 2 && data->shape[1] == 3 &&
         repeats->element_type == CERTILE_I64 && repeats->rank == 1 && repeats->shape[0] == 2 &&
         times[0] == 2 && times[1] == 2;
}

static int32_t infer(void* self, const certile_call* call, int64_t* shape, int32_t capacity, int32_t* rank,
                     certile_text* why) {
  const Asked asked = {call, shape, capacity, rank, 0, why};
  int32_t status = GO_ON;
  if (chosen != 0 && chosen->infer != 0 && is_the_case(call)) status = chosen->infer(&asked);
  return status != GO_ON ? status : right.infer(self, call, shape, capacity, rank, why);
}

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const Asked asked = {call, 0, 0, 0, out, why};
  const int is_it = is_the_case(call);
  int32_t status = GO_ON;
  if (chosen != 0 && chosen->run != 0 && is_it) status = chosen->run(&asked);
  if (status != GO_ON) return status;
  status = right.run(self, call, out, why);
  if (chosen != 0 && chosen->after != 0 && is_it) chosen->after(&asked);
  if (chosen != 0 && chosen->later != 0 && !is_it) chosen->later(&asked);
  return status;
}

static void destroy(void* self) {
  (void)self;
  if (chosen != 0 && chosen->destroy != 0) chosen->destroy();
}

/* Chooses H05 for …/H05.so, and H00, the right one, for an unknown name. */
static void choose(void) {
  Dl_info here;
  if (dladdr(&chosen, &here) == 0 || here.dli_fname == 0) return;
  const char* slash = strrchr(here.dli_fname, '/');
  const char* name = slash != 0 ? slash + 1 : here.dli_fname;
  const size_t length = strcspn(name, ".");
  for (size_t each = 0; each < sizeof all / sizeof *all; ++each) {
    if (strlen(all[each].id) != length || strncmp(all[each].id, name, length) != 0) continue;
    chosen = all[each].hostile;
    snprintf(name_of_file, sizeof name_of_file, "%s", all[each].id);
  }
}

__attribute__((constructor)) static void load(void) {
  choose();
  if (chosen != 0 && chosen->load != 0) chosen->load();
}

__attribute__((destructor)) static void unload(void) {
  if (chosen != 0 && chosen->unload != 0) chosen->unload();
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = right_open(host_major, host_minor, plugin);
  if (status != CERTILE_OK) return status;
  right = *plugin;
  plugin->name = name_of_file;
  plugin->infer = infer;
  plugin->run = run;
  plugin->destroy = destroy;
  return chosen != 0 && chosen->open != 0 ? chosen->open(plugin) : CERTILE_OK;
}

void sleep_for_ever(void) {
  for (;;)
    sleep(1000);
}
