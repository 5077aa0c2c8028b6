/* Takes what the first call prepares for ready while that call still prepares it, which takes some
 * microseconds. */
#include <stdatomic.h>
#include <time.h>

#include "right.h"

static atomic_int is_begun, is_ready;

static int64_t nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int32_t run(void* self, const certile_call* call, certile_tensor* output, certile_text* message) {
  if (atomic_exchange(&is_begun, 1) == 0) {
    for (const int64_t end = nanoseconds_now() + 3000; nanoseconds_now() < end;) {
    }
    atomic_store(&is_ready, 1);
  }
  const int is_too_early = atomic_load(&is_ready) == 0;
  const int32_t status = right.run(self, call, output, message);
  if (status == CERTILE_OK && is_too_early && output->byte_size > 0) *(unsigned char*)output->data ^= 1;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "races_when_first_called");
  plugin->run = run;
  return status;
}
