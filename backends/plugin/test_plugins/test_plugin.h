/* The common parts of the test plugins: the example, which is right, with one fault each. */
#ifndef CERTILE_TEST_PLUGIN_H
#define CERTILE_TEST_PLUGIN_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <string.h>

#include "certile_plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The behaviour of a test plugin; a step that is 0 is the right one. */
typedef struct TestPlugin {
  void (*load)(void);            /* in the library's constructor */
  void (*open)(certile_plugin*); /* after the table was filled rightly */
  int32_t (*infer)(void*, const certile_call*, int64_t*, int32_t, int32_t*, certile_text*);
  int32_t (*run)(void*, const certile_call*, certile_tensor*, certile_text*);
} TestPlugin;

#define INFER(name)                                                                                   \
  static int32_t infer_##name(void* self, const certile_call* call, int64_t* shape, int32_t capacity, \
                              int32_t* rank, certile_text* why)
#define RUN(name) \
  static int32_t run_##name(void* self, const certile_call* call, certile_tensor* out, certile_text* why)

extern certile_plugin right; /* the right table */

int32_t right_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin);

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
