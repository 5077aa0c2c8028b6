/* Memory: more than there is, and that of the process around it. */
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { block = 16 << 20 };
static const size_t far_too_much = (size_t)64 << 30;

/* Takes 16 MiB at a time until none is left, or 2 GiB if there is no limit. */
static int32_t flood_heap(const Asked* asked) {
  (void)asked;
  for (int blocks = 0; blocks < 128; ++blocks) {
    char* more = malloc(block);
    if (more == 0) return CERTILE_NO_MEMORY;
    *(volatile char*)more = 1;
  }
  return GO_ON;
}
const Hostile floods_memory = {.run = flood_heap};

static int32_t flood_at_once(const Asked* asked) {
  (void)asked;
  volatile char* more = malloc(far_too_much);
  if (more == 0) return CERTILE_NO_MEMORY;
  more[far_too_much - 1] = 1;
  return GO_ON;
}
const Hostile asks_for_64_gib = {.run = flood_at_once};

static uintptr_t page_of(const void* address) {
  return (uintptr_t)address & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
}

static void unmap_output(const Asked* asked) {
  munmap((void*)page_of(asked->out->data), (size_t)sysconf(_SC_PAGESIZE));
}
const Hostile unmaps_its_output = {.after = unmap_output};

static void close_output(const Asked* asked) {
  mprotect((void*)page_of(asked->out->data), (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
}
const Hostile makes_its_output_unreadable = {.after = close_output};

static void open_input(const Asked* asked) {
  char* data = asked->call->data->data;
  if (mprotect((void*)page_of(data), (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE) == 0) *data ^= 1;
}
const Hostile makes_its_input_writable = {.after = open_input};

static void free_output(const Asked* asked) {
  free(asked->out->data);
}
const Hostile frees_its_output = {.after = free_output};

/* Applies the step to every mapping with those rights.  Reads the list of mappings first, because afterwards
 * it may be impossible. */
static void over_all(const char* rights, void (*step)(char* begin, size_t size)) {
  static struct {
    char* begin;
    size_t size;
  } found[512];
  int count = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4200];
  while (maps != 0 && count < 512 && fgets(line, sizeof line, maps) != 0) {
    unsigned long begin = 0, end = 0;
    char access[5] = "";
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3 || strcmp(access, rights) != 0) continue;
    found[count].begin = (char*)begin;
    found[count++].size = end - begin;
  }
  for (int each = 0; each < count; ++each)
    step(found[each].begin, found[each].size);
}

static void fill(char* begin, size_t size) {
  memset(begin, 0xff, size);
}

static void unmap(char* begin, size_t size) {
  munmap(begin, size);
}

static int32_t scribble(const Asked* asked) {
  (void)asked;
  over_all("rw-s", fill);
  return GO_ON;
}
const Hostile writes_over_shared_memory = {.run = scribble};

static int32_t unmap_shared(const Asked* asked) {
  (void)asked;
  over_all("rw-s", unmap);
  return GO_ON;
}
const Hostile unmaps_shared_memory = {.run = unmap_shared};

static int32_t fill_private(const Asked* asked) {
  (void)asked;
  over_all("rw-p", fill);
  return GO_ON;
}
const Hostile writes_over_its_process = {.run = fill_private};

static int32_t unmap_private(const Asked* asked) {
  (void)asked;
  over_all("rw-p", unmap);
  return GO_ON;
}
const Hostile unmaps_its_process = {.run = unmap_private};

static int32_t unmap_code(const Asked* asked) {
  (void)asked;
  over_all("r-xp", unmap);
  return GO_ON;
}
const Hostile unmaps_all_code = {.run = unmap_code};
