/* Its name, version and messages are commands to the CI systems that read what certile prints. */
#include <stdio.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (!is_the_case(call)) return status;
  snprintf(why->utf8, why->capacity,
           "::set-output name=a::b\n ::warning::c ##[section]d ##vso[task.complete]e");
  return CERTILE_FAILED;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "::error title=x::y http://example.org");
  plugin->version = "::endgroup::##[group]1";
  plugin->run = run;
  return status;
}
