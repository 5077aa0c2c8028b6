/* Ends of the process, and exits that the C table does not allow. */
#include "hostile.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An address that compilers cannot see through. */
static volatile uintptr_t nowhere = 64;

static int32_t write_nowhere(const Asked* asked) {
  (void)asked;
  *(volatile char*)nowhere = 1;
  return GO_ON;
}
const Hostile writes_nowhere = {.run = write_nowhere};

static int32_t infer_nowhere(const Asked* asked) {
  return write_nowhere(asked);
}
const Hostile crashes_in_infer = {.infer = infer_nowhere};

static int32_t call_abort(const Asked* asked) {
  (void)asked;
  abort();
}
const Hostile aborts = {.run = call_abort};

static int32_t call_exit(const Asked* asked) {
  (void)asked;
  exit(0);
}
const Hostile exits_with_zero = {.run = call_exit};

static void* exit_quietly(void* unused) {
  (void)unused;
  _exit(0);
}

static int32_t exit_in_thread(const Asked* asked) {
  pthread_t thread = 0;
  (void)asked;
  if (pthread_create(&thread, 0, exit_quietly, 0) == 0) pthread_join(thread, 0);
  return GO_ON;
}
const Hostile exits_in_a_thread = {.run = exit_in_thread};

static int32_t send_itself(int number) {
  kill(getpid(), number);
  sleep_for_ever();
  return GO_ON;
}

static int32_t trap(const Asked* asked) {
  (void)asked;
  return send_itself(SIGILL);
}
const Hostile ends_by_sigill = {.run = trap};

static int32_t kill_itself(const Asked* asked) {
  (void)asked;
  return send_itself(SIGKILL);
}
const Hostile kills_itself = {.run = kill_itself};

static int32_t out_of_time(const Asked* asked) {
  (void)asked;
  return send_itself(SIGXCPU);
}
const Hostile ends_by_sigxcpu = {.run = out_of_time};

/* Each frame is used after the call within it, so that compilers do not turn the recursion into a loop. */
static volatile int ends = 0;
static int deeper(volatile char* above) {
  volatile char frame[4096];
  frame[0] = (char)(*above + 1);
  const int below = ends ? 0 : deeper(frame);
  return below + frame[0];
}

static int32_t overflow_stack(const Asked* asked) {
  volatile char top = 0;
  (void)asked;
  return deeper(&top);
}

static void* overflow_in_thread(void* unused) {
  (void)unused;
  overflow_stack(0);
  return 0;
}

static int32_t overflow_other_stack(const Asked* asked) {
  pthread_t thread = 0;
  (void)asked;
  if (pthread_create(&thread, 0, overflow_in_thread, 0) == 0) pthread_join(thread, 0);
  return GO_ON;
}
const Hostile overflows_its_stack = {.run = overflow_stack};
const Hostile overflows_a_threads_stack = {.run = overflow_other_stack};

/* The frame of a call that returned long ago. */
static jmp_buf returned;

static int32_t keep_place(const Asked* asked) {
  (void)asked;
  return setjmp(returned) == 0 ? GO_ON : CERTILE_OK;
}

static int32_t jump_back(const Asked* asked) {
  (void)asked;
  longjmp(returned, 1);
}
const Hostile jumps_out = {.infer = keep_place, .run = jump_back};

/* The first thread ends, and another continues. */
static void* wait_in_thread(void* unused) {
  (void)unused;
  sleep_for_ever();
  return 0;
}

static int32_t end_first_thread(const Asked* asked) {
  pthread_t thread = 0;
  (void)asked;
  if (pthread_create(&thread, 0, wait_in_thread, 0) == 0) syscall(SYS_exit, 0);
  return GO_ON;
}
const Hostile ends_its_first_thread = {.run = end_first_thread};

static int32_t unwind_thread(const Asked* asked) {
  (void)asked;
  pthread_exit(0);
}
const Hostile calls_pthread_exit = {.run = unwind_thread};

/* Unloads the code to which it returns. */
static int32_t unload_itself(const Asked* asked) {
  Dl_info here;
  (void)asked;
  if (dladdr(&chosen, &here) == 0) return GO_ON;
  void* library = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  for (int times = 0; library != 0 && times < 2; ++times)
    dlclose(library);
  return GO_ON;
}
const Hostile unloads_itself = {.run = unload_itself};

static int32_t unknown_status(const Asked* asked) {
  (void)asked;
  return 12345;
}
const Hostile gives_an_unknown_status = {.run = unknown_status};
