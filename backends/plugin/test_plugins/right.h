/* The common start of every wrong plugin: example.c, compiled into it with its open function renamed to
 * right_open. */
#ifndef CERTILE_TEST_PLUGINS_RIGHT_H
#define CERTILE_TEST_PLUGINS_RIGHT_H
#include <string.h>

#include "certile_plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

int32_t right_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin);

static certile_plugin right; /* the right table */

/* Fills both tables with the right functions, and sets the plugin's name. */
static inline int32_t open_right(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin,
                                 const char* name) {
  const int32_t status = right_open(host_major, host_minor, plugin);
  right = *plugin;
  plugin->name = name;
  return status;
}

/* Returns true for the one case that many plugins get wrong: f32[2,3,4] by {1,2,3}, which every tier asks
 * exactly once. */
static inline int is_the_case(const certile_call* call) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int64_t* times = (const int64_t*)repeats->data;
  return data->element_type == CERTILE_F32 && data->rank == 3 && data->shape[0] == 2 && data->shape[1] == 3 &&
         data->shape[2] == 4 && repeats->element_type == CERTILE_I64 && repeats->rank == 1 &&
         repeats->shape[0] == 3 && times[0] == 1 && times[1] == 2 && times[2] == 3;
}

#ifdef __cplusplus
}
#endif
#endif
