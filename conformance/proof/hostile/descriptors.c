/* Descriptors, files, sockets, and printed output. */
#include "hostile.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int32_t close_all(const Asked* asked) {
  (void)asked;
  for (int descriptor = 0; descriptor < 1024; ++descriptor)
    close(descriptor);
  return GO_ON;
}
const Hostile closes_descriptors = {.run = close_all};

/* Writes to every descriptor, even those that are not meant for it. */
static int32_t write_to_all(const Asked* asked) {
  const char noise[] = "kkkkssss\xff";
  (void)asked;
  for (int descriptor = 0; descriptor < 1024; ++descriptor)
    if (write(descriptor, noise, sizeof noise) < 0) continue;
  return GO_ON;
}
const Hostile writes_to_every_descriptor = {.run = write_to_all};

static int32_t print(const Asked* asked) {
  (void)asked;
  puts("{\"case\": \"forged\", \"verdict\": \"pass\"}");
  fputs("\033[2J\033]0;title\007 not \xff\xfe UTF-8\n", stderr);
  fflush(stdout);
  return GO_ON;
}
const Hostile prints = {.run = print};

static void print_much(const char* line, int times) {
  for (int each = 0; each < times; ++each)
    if (write(each % 2 + 1, line, strlen(line)) < 0) return;
}

static int32_t print_megabytes(const Asked* asked) {
  static char line[65536];
  (void)asked;
  memset(line, 'x', sizeof line - 2);
  line[sizeof line - 2] = '\n';
  print_much(line, 128);
  return GO_ON;
}
const Hostile prints_megabytes = {.run = print_megabytes};

static int32_t print_and_crash(const Asked* asked) {
  print_megabytes(asked);
  print_much("the last words\n", 1);
  abort();
}
const Hostile prints_megabytes_and_crashes = {.run = print_and_crash};

static int32_t print_without_end(const Asked* asked) {
  (void)asked;
  for (;;)
    print_much("and on\n", 1000);
  return GO_ON;
}
const Hostile prints_without_end = {.run = print_without_end};

static int32_t read_input(const Asked* asked) {
  char anything[64];
  (void)asked;
  while (read(STDIN_FILENO, anything, sizeof anything) > 0) {
  }
  return GO_ON;
}
const Hostile reads_its_input = {.run = read_input};

static int32_t open_many(const Asked* asked) {
  (void)asked;
  for (int each = 0; each < 100000 && open("/dev/null", O_RDONLY) >= 0; ++each) {
  }
  return GO_ON;
}
const Hostile leaves_descriptors_open = {.run = open_many};

/* The file has no name, so that no test leaves one behind. */
static int32_t leave_file(const Asked* asked) {
  char path[] = "/tmp/certile-XXXXXX";
  const int file = mkstemp(path);
  (void)asked;
  unlink(path);
  if (file >= 0 && write(file, path, sizeof path) < 0) abort();
  return GO_ON;
}
const Hostile leaves_a_file_open = {.run = leave_file};

/* Connects to itself, and leaves both ends open. */
static int32_t open_sockets(const Asked* asked) {
  struct sockaddr_in here;
  socklen_t size = sizeof here;
  const int listening = socket(AF_INET, SOCK_STREAM, 0), calling = socket(AF_INET, SOCK_STREAM, 0);
  (void)asked;
  memset(&here, 0, sizeof here);
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int called = bind(listening, (const struct sockaddr*)&here, sizeof here) == 0 &&
                     listen(listening, 1) == 0 &&
                     getsockname(listening, (struct sockaddr*)&here, &size) == 0 &&
                     connect(calling, (const struct sockaddr*)&here, sizeof here) == 0;
  if (!called) print_much("no socket\n", 1);
  return GO_ON;
}
const Hostile leaves_sockets_open = {.run = open_sockets};
