/* A program that certile judges, for kernels that cannot be a shared library. Here the kernel is example.c:
 *
 *   cc -std=c99 -O2 $(certile --cflags) -o example example.c program.c $(certile --libs)
 *   certile certify ./example
 */
#include "certile_runner.h"

int main(int argument_count, char** arguments) {
  return certile_runner_main(argument_count, arguments, certile_plugin_open);
}
