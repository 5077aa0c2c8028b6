/* Other processes: those that it starts, and those that watch over it. */
#include "hostile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int32_t kill_host(const Asked* asked) {
  const pid_t host = getppid();
  (void)asked;
  kill(host, SIGKILL);
  while (getppid() == host)
    pause();
  return GO_ON;
}
const Hostile kills_its_host = {.run = kill_host};

static int32_t end_host(const Asked* asked) {
  const pid_t host = getppid();
  (void)asked;
  prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
  for (int number = SIGHUP; number <= SIGTERM; ++number)
    kill(host, number);
  sleep_for_ever();
  return GO_ON;
}
const Hostile sends_its_host_every_signal = {.run = end_host};

/* Only if the group is separate, because otherwise it may be a user's shell. */
static int32_t kill_group(const Asked* asked) {
  (void)asked;
  if (getpgrp() == getpid()) kill(0, SIGKILL);
  sleep_for_ever();
  return GO_ON;
}
const Hostile kills_its_group = {.run = kill_group};

static int32_t trace_host(const Asked* asked) {
  (void)asked;
  ptrace(PTRACE_SEIZE, getppid(), 0, (void*)(uintptr_t)PTRACE_O_EXITKILL);
  ptrace(PTRACE_INTERRUPT, getppid(), 0, 0);
  sleep_for_ever();
  return GO_ON;
}
const Hostile traces_its_host = {.run = trace_host};

/* Returns true if that process's memory can be overwritten. */
static int may_write_into(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/mem", (long)process);
  const int memory = open(path, O_RDWR);
  char byte = 0;
  const struct iovec here = {&byte, 1}, there = {(void*)(uintptr_t)&may_write_into, 1};
  const ssize_t read = process_vm_readv(process, &here, 1, &there, 1, 0);
  if (memory >= 0) close(memory);
  return memory >= 0 || read >= 0 || errno == EFAULT;
}

static pid_t parent_of(pid_t process) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  const int status = open(path, O_RDONLY);
  const ssize_t length = status >= 0 ? read(status, line, sizeof line - 1) : -1;
  if (status >= 0) close(status);
  line[length > 0 ? length : 0] = 0;
  const char* name_end = strrchr(line, ')');
  int parent = 0;
  return name_end != 0 && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

static int32_t open_judges(const Asked* asked) {
  const pid_t host = getppid();
  (void)asked;
  if (may_write_into(host) || may_write_into(parent_of(host))) abort();
  return GO_ON;
}
const Hostile opens_its_judges_memory = {.run = open_judges};

/* The numbers of processes that are started in total, however long it takes. */
enum { bomb_size = 200, chain_length = 20000 };

static atomic_int* shared_count(int count) {
  atomic_int* left = mmap(0, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (left == MAP_FAILED) return 0;
  atomic_init(left, count);
  return left;
}

/* Forks, and so do all descendants. */
static void explode(atomic_int* left) {
  while (atomic_fetch_sub(left, 1) > 0)
    fork();
}

static int32_t bomb(const Asked* asked) {
  atomic_int* left = shared_count(bomb_size);
  (void)asked;
  if (left != 0) explode(left);
  sleep_for_ever();
  return GO_ON;
}
const Hostile forks_without_end = {.run = bomb};

static int32_t bomb_and_return(const Asked* asked) {
  atomic_int* left = shared_count(bomb_size);
  (void)asked;
  if (left == 0 || fork() != 0) return GO_ON;
  explode(left);
  sleep_for_ever();
  return GO_ON;
}
const Hostile leaves_a_fork_bomb = {.run = bomb_and_return};

/* A process that forks and ends, over and over, so that a search for it finds its dead parent. */
static void run_away(int in_a_session_of_its_own) {
  atomic_int* left = shared_count(chain_length);
  if (left == 0 || fork() != 0) return;
  while (atomic_fetch_sub(left, 1) > 0) {
    if (in_a_session_of_its_own) setsid();
    if (fork() != 0) _exit(0);
  }
  sleep_for_ever();
}

static int32_t run_away_in_group(const Asked* asked) {
  (void)asked;
  run_away(0);
  return GO_ON;
}
const Hostile runs_away = {.run = run_away_in_group};

static int32_t run_away_in_session(const Asked* asked) {
  (void)asked;
  run_away(1);
  return GO_ON;
}
const Hostile runs_away_from_its_session = {.run = run_away_in_session};

static void ignore_signals(void) {
  for (int number = SIGHUP; number <= SIGTERM; ++number)
    if (number != SIGKILL) signal(number, SIG_IGN);
}

static int32_t leave_daemon(const Asked* asked) {
  (void)asked;
  const pid_t child = fork();
  if (child > 0) waitpid(child, 0, 0);
  if (child != 0) return GO_ON;
  ignore_signals();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  setsid();
  if (fork() != 0) _exit(0);
  sleep_for_ever();
  return GO_ON;
}
const Hostile leaves_a_daemon = {.run = leave_daemon};

/* A different program that has this library's name. */
static int32_t leave_program(const Asked* asked) {
  Dl_info here;
  (void)asked;
  if (dladdr(&chosen, &here) == 0 || fork() != 0) return GO_ON;
  setsid();
  if (fork() != 0) _exit(0);
  execl("/bin/sleep", here.dli_fname, "1000", (char*)0);
  _exit(1);
}
const Hostile leaves_a_program = {.run = leave_program};

static int32_t leave_stopped(const Asked* asked) {
  (void)asked;
  if (fork() != 0) return GO_ON;
  for (;;)
    kill(getpid(), SIGSTOP);
}
const Hostile leaves_a_stopped_process = {.run = leave_stopped};

/* The process ends, and its child, which has its memory, would continue in its place. */
static int32_t change_places(const Asked* asked) {
  (void)asked;
  prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
  if (fork() != 0) _exit(0);
  setsid();
  sleep(2);
  return GO_ON;
}
const Hostile answers_from_a_fork = {.run = change_places};
