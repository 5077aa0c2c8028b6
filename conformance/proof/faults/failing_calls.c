/* A library to load before the others (LD_PRELOAD): one kind of call fails in the process that loads it, from
   the beginning of `main` on.

     CERTILE_FAILING_KIND=write    the kind, a name of failing_calls.inc; none: nothing fails
     CERTILE_FAILING_FROM=3        the third of them, counted from 1
     CERTILE_FAILING_ONCE=1        only that call; otherwise every later one as well
     CERTILE_FAILING_COUNTS=FILE   at the end: the number of calls, a line for each kind

   The host and its children get another environment, so their calls do not fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind {
#define KIND(name, error) kind_##name,
#include "conformance/proof/faults/failing_calls.inc"
#undef KIND
  kind_count
};
static const char* const names[] = {
#define KIND(name, error) #name,
#include "conformance/proof/faults/failing_calls.inc"
#undef KIND
};
static const int errors[] = {
#define KIND(name, error) error,
#include "conformance/proof/faults/failing_calls.inc"
#undef KIND
};

static int active;      /* `main` has begun */
static int chosen = -1; /* the kind that fails */
static long first = 0;  /* the first one of that kind to fail */
static int once;        /* only that one fails */
static long counts[kind_count];

/* Counts a call; returns true if it has to fail. */
static int fails(enum kind kind) {
  long number = 0;
  if (!active) return 0;
  number = __atomic_add_fetch(&counts[kind], 1, __ATOMIC_RELAXED);
  if ((int)kind != chosen || number < first || (once && number > first)) return 0;
  errno = errors[kind];
  return 1;
}

static void* next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == NULL) _exit(126);
  return found;
}

/* Replaces `name` by a function that fails in its turn, and otherwise does the same as before.  ISO C has no
   conversion from an object pointer to a function pointer, hence the copy. */
#define CALL(kind, result, failed, name, parameters, arguments) \
  result name parameters {                                      \
    static result(*real) parameters;                            \
    void* found;                                                \
    if (fails(kind_##kind)) return failed;                      \
    if (real == NULL) {                                         \
      found = next(#name);                                      \
      memcpy(&real, &found, sizeof real);                       \
    }                                                           \
    return real arguments;                                      \
  }

/* The allocator's other names, because looking up the usual ones allocates. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  return fails(kind_memory) ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails(kind_memory) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return fails(kind_memory) ? NULL : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails(kind_memory) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** made, size_t alignment, size_t size) {
  if (fails(kind_memory)) return ENOMEM;
  *made = __libc_memalign(alignment, size);
  return *made == NULL ? ENOMEM : 0;
}

CALL(read, ssize_t, -1, read, (int file, void* bytes, size_t size), (file, bytes, size))
CALL(sync, int, -1, fsync, (int file), (file))
CALL(rename, int, -1, rename, (const char* from, const char* to), (from, to))
CALL(open, FILE*, NULL, fopen, (const char* path, const char* mode), (path, mode))
CALL(open, FILE*, NULL, fopen64, (const char* path, const char* mode), (path, mode))
CALL(status, int, -1, stat, (const char* path, struct stat* status), (path, status))
CALL(status, int, -1, fstat, (int file, struct stat* status), (file, status))
CALL(status, char*, NULL, realpath, (const char* path, char* made), (path, made))
CALL(truncate, int, -1, ftruncate, (int file, off_t size), (file, size))
CALL(truncate, int, -1, ftruncate64, (int file, off64_t size), (file, size))
CALL(memory_file, int, -1, memfd_create, (const char* name, unsigned flags), (name, flags))
CALL(map, void*, MAP_FAILED, mmap, (void* at, size_t size, int protection, int flags, int file, off_t from),
     (at, size, protection, flags, file, from))
CALL(map, void*, MAP_FAILED, mmap64,
     (void* at, size_t size, int protection, int flags, int file, off64_t from),
     (at, size, protection, flags, file, from))
CALL(pipe, int, -1, pipe2, (int ends[2], int flags), (ends, flags))
CALL(pipe, int, -1, socketpair, (int domain, int type, int protocol, int ends[2]),
     (domain, type, protocol, ends))
CALL(send, ssize_t, -1, send, (int file, const void* bytes, size_t size, int flags),
     (file, bytes, size, flags))
CALL(wait, pid_t, -1, waitpid, (pid_t process, int* status, int options), (process, status, options))
CALL(wait, int, -1, poll, (struct pollfd * sources, nfds_t count, int milliseconds),
     (sources, count, milliseconds))
CALL(fork, pid_t, -1, fork, (void), ())
CALL(fork, int, EAGAIN, posix_spawn,
     (pid_t * made, const char* path, const posix_spawn_file_actions_t* actions,
      const posix_spawnattr_t* attributes, char* const words[], char* const variables[]),
     (made, path, actions, attributes, words, variables))
CALL(fork, int, EAGAIN, posix_spawnp,
     (pid_t * made, const char* path, const posix_spawn_file_actions_t* actions,
      const posix_spawnattr_t* attributes, char* const words[], char* const variables[]),
     (made, path, actions, attributes, words, variables))
CALL(prepare, int, ENOMEM, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * actions), (actions))
CALL(prepare, int, ENOMEM, posix_spawn_file_actions_adddup2,
     (posix_spawn_file_actions_t * actions, int from, int to), (actions, from, to))
CALL(prepare, int, ENOMEM, posix_spawn_file_actions_addclosefrom_np,
     (posix_spawn_file_actions_t * actions, int from), (actions, from))
CALL(thread, int, EAGAIN, pthread_create,
     (pthread_t * made, const pthread_attr_t* attributes, void* (*begin)(void*), void* with),
     (made, attributes, begin, with))

/* Never fails on standard error, where the error is reported. */
ssize_t write(int file, const void* bytes, size_t size) {
  return file != STDERR_FILENO && fails(kind_write) ? -1 : syscall(SYS_write, file, bytes, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  return file != STDERR_FILENO && fails(kind_write) ? -1 : syscall(SYS_writev, file, parts, count);
}

/* A close that reports a failure has closed the file all the same. */
int close(int file) {
  const int failed = fails(kind_close);
  const int result = (int)syscall(SYS_close, file);
  if (!failed) return result;
  errno = errors[kind_close];
  return -1;
}

/* The number of the later arguments depends on the flags.  Offsets have 64 bits here anyway. */
static int open_really(const char* path, int flags, unsigned mode) {
  return fails(kind_open) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
static unsigned mode_behind(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
}
int open(const char* path, int flags, ...) {
  va_list rest;
  unsigned mode = 0;
  va_start(rest, flags);
  mode = mode_behind(flags, rest);
  va_end(rest);
  return open_really(path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
static int control(int file, int command, long argument) {
  return fails(kind_duplicate) ? -1 : (int)syscall(SYS_fcntl, file, command, argument);
}
int fcntl(int file, int command, ...) {
  va_list rest;
  long argument = 0;
  va_start(rest, command);
  argument = va_arg(rest, long);
  va_end(rest);
  return control(file, command, argument);
}
int fcntl64(int file, int command, ...) __attribute__((alias("fcntl")));

static void read_wishes(void) {
  const char* kind = getenv("CERTILE_FAILING_KIND");
  const char* from = getenv("CERTILE_FAILING_FROM");
  int index = 0;
  for (; kind != NULL && index < kind_count; ++index)
    if (strcmp(kind, names[index]) == 0) chosen = index;
  if (kind != NULL && chosen < 0) _exit(125);
  first = from != NULL ? atol(from) : 1;
  once = getenv("CERTILE_FAILING_ONCE") != NULL;
}

__attribute__((destructor)) static void write_counts(void) {
  const char* path = getenv("CERTILE_FAILING_COUNTS");
  int index = 0, size = 0, file = 0;
  char line[64];
  active = 0;
  if (path == NULL) return;
  file = open_really(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  for (index = 0; index < kind_count; ++index) {
    size = snprintf(line, sizeof line, "%s %ld\n", names[index], counts[index]);
    if (write(file, line, (size_t)size) != size) _exit(124);
  }
  close(file);
}

/* Calls before `main` belong to the loader and the libraries. */
static int (*program)(int, char**, char**);
static int program_from_now_on(int count, char** words, char** variables) {
  read_wishes();
  active = 1;
  return program(count, words, variables);
}
int __libc_start_main(int (*begin)(int, char**, char**), int count, char** words, void (*made)(void),
                      void (*unmade)(void), void (*unloaded)(void), void* stack_end) {
  int (*real)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
              void*) = NULL;
  void* found = next("__libc_start_main");
  memcpy(&real, &found, sizeof real);
  program = begin;
  return real(program_from_now_on, count, words, made, unmade, unloaded, stack_end);
}
