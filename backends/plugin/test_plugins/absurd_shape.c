/* Infers shapes that no memory holds, that are negative, or that have an impossible rank. */
#include "right.h"

static int32_t infer(void* self, const certile_call* call, int64_t* shape, int32_t capacity, int32_t* rank,
                     certile_text* why) {
  const int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK || *rank == 0) return status;
  if (*rank == 1) shape[0] = INT64_MAX;
  if (*rank == 2) shape[0] = -shape[0] - 1;
  if (*rank == 3) *rank = -1;
  if (*rank == 4) *rank = INT32_MAX;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "absurd-shape");
  plugin->infer = infer;
  return status;
}
