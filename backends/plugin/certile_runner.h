/* certile_runner.h: for a kernel that cannot be a shared library.  C99; its library is certile::runner. */
/* Laid out by hand, as certile_plugin.h is. */
/* clang-format off */
#ifndef CERTILE_RUNNER_H
#define CERTILE_RUNNER_H
#include "certile_plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Fills *plugin and returns CERTILE_OK, or returns another status: the contract of certile_plugin_open, under any name. */
typedef int32_t (*certile_open)(uint32_t host_major, uint32_t host_minor, certile_plugin *plugin);

/* Answers the questions of `certile certify ./program`, which starts the program, and returns the exit code of main.
   Main passes on its own arguments, before it starts a thread or opens a device: the program forks for each process that is
   judged, and `open` is called there.  In a program that certile did not start, prints a sentence on standard error, and
   returns 2.
     int main(int argc, char **argv) { return certile_runner_main(argc, argv, certile_plugin_open); }  */
int certile_runner_main(int argument_count, char **arguments, certile_open open);

#ifdef __cplusplus
}
#endif
#endif
