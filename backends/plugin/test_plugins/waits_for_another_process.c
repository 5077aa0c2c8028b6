/* Answers a call whose data has 501 elements once another process, or an earlier call, has been given data of
 * 502; it refuses after five seconds.  What both know is the file that CERTILE_TEST_FILE names. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  enum { MOST_PAUSES = 500 };
  const struct timespec pause = {0, 10000000};
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  const char* file = getenv("CERTILE_TEST_FILE");
  if (!file) return CERTILE_UNSUPPORTED;
  if (first == 502) close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  for (int pauses = 0; first == 501 && access(file, F_OK) != 0; ++pauses) {
    if (pauses == MOST_PAUSES) return CERTILE_UNSUPPORTED;
    nanosleep(&pause, 0);
  }
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "waits-for-another-process");
  plugin->run = run;
  return status;
}
