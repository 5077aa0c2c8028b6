/* A program that links the runner and has ended before certile can ask it anything. */
#include "certile_runner.h"

#include <stdio.h>

int main(int argument_count, char** arguments) {
  if (argument_count == 0) return certile_runner_main(argument_count, arguments, certile_plugin_open);
  puts("nothing to do");
  return 0;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  (void)host_major;
  (void)host_minor;
  (void)plugin;
  return CERTILE_FAILED;
}
