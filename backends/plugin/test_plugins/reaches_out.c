#include "test_plugin.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tries, in one case, what its environment names: the variable ACT says what, TARGET with which file, process
 * or port. If it succeeds, the call fails with a sentence that says so; otherwise the answer is right. */
static int write_file(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int written = file >= 0 && write(file, "reached", 7) == 7;
  if (file >= 0) close(file);
  return written;
}

static int truncate_file(const char* path) {
  return truncate(path, 0) == 0;
}

static int remove_file(const char* path) {
  return unlink(path) == 0;
}

static int change_mode(const char* path) {
  return chmod(path, 0777) == 0;
}

/* In the folder for temporary files, where small ones are allowed. */
static int write_large_file(const char* unused) {
  char path[512];
  (void)unused;
  const char* folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/certile-large-%ld", folder != NULL ? folder : "/tmp", (long)getpid());
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int written = file >= 0 && ftruncate(file, (off_t)1 << 30) == 0;
  unlink(path);
  if (file >= 0) close(file);
  return written;
}

static int reach_port(int type, const char* port) {
  const int opened = socket(AF_INET, type | SOCK_CLOEXEC, 0);
  struct sockaddr_in there = {.sin_family = AF_INET};
  there.sin_port = htons((in_port_t)atoi(port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int reached = opened >= 0 && connect(opened, (struct sockaddr*)&there, sizeof there) == 0 &&
                      send(opened, "reached", 7, MSG_NOSIGNAL) == 7;
  if (opened >= 0) close(opened);
  return reached;
}

static int connect_tcp(const char* port) {
  return reach_port(SOCK_STREAM, port);
}

static int send_udp(const char* port) {
  return reach_port(SOCK_DGRAM, port);
}

static int connect_abstract(const char* name) {
  const int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_un there = {.sun_family = AF_UNIX};
  strncpy(there.sun_path + 1, name, sizeof there.sun_path - 2);
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  const int reached = opened >= 0 && connect(opened, (struct sockaddr*)&there, size) == 0;
  if (opened >= 0) close(opened);
  return reached;
}

static int trace(const char* process) {
  const pid_t other = (pid_t)atoi(process);
  if (ptrace(PTRACE_SEIZE, other, 0, 0) != 0) return 0;
  ptrace(PTRACE_INTERRUPT, other, 0, 0);
  waitpid(other, NULL, __WALL);
  ptrace(PTRACE_DETACH, other, 0, 0);
  return 1;
}

static int send_signal(const char* process) {
  return kill((pid_t)atoi(process), SIGCONT) == 0;
}

static int read_environment(const char* process) {
  char path[64], byte = 0;
  snprintf(path, sizeof path, "/proc/%s/environ", process);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const int got = file >= 0 && read(file, &byte, 1) == 1;
  if (file >= 0) close(file);
  return got;
}

/* More than the sandbox allows, and fewer than would harm a machine. */
static int fork_many(const char* unused) {
  enum { most = 1100 };
  static pid_t children[most];
  int count = 0;
  (void)unused;
  while (count < most && (children[count] = fork()) > 0)
    ++count;
  if (count < most && children[count] == 0)
    for (;;)
      pause();
  for (int each = 0; each < count; ++each)
    kill(children[each], SIGKILL);
  for (int each = 0; each < count; ++each)
    waitpid(children[each], NULL, 0);
  return count == most;
}

static int mount_over(const char* folder) {
  if (mount("reached", folder, "tmpfs", 0, NULL) != 0) return 0;
  umount(folder);
  return 1;
}

static int find_shared_memory(const char* key) {
  return shmget((key_t)atoi(key), 0, 0) >= 0;
}

static int make_namespace(const char* unused) {
  (void)unused;
  const pid_t child = fork();
  int status = 1;
  if (child == 0) _exit(unshare(CLONE_NEWUSER) != 0);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static const struct {
  const char* name;
  int (*act)(const char* target);
} acts[] = {
    {"write-file", write_file},
    {"write-through-process", write_file},
    {"truncate", truncate_file},
    {"remove", remove_file},
    {"change-mode", change_mode},
    {"write-large-file", write_large_file},
    {"connect-tcp", connect_tcp},
    {"send-udp", send_udp},
    {"connect-abstract", connect_abstract},
    {"trace", trace},
    {"signal", send_signal},
    {"read-environment", read_environment},
    {"fork-many", fork_many},
    {"mount", mount_over},
    {"shared-memory", find_shared_memory},
    {"namespace", make_namespace},
};

RUN(reaches_out) {
  const char *name = getenv("ACT"), *target = getenv("TARGET");
  for (size_t each = 0; each < sizeof acts / sizeof acts[0]; ++each) {
    if (!is_the_case(call) || name == NULL || strcmp(acts[each].name, name) != 0) continue;
    if (!acts[each].act(target != NULL ? target : "")) break;
    snprintf(why->utf8, why->capacity, "it did %s", name);
    return CERTILE_FAILED;
  }
  return right.run(self, call, out, why);
}
const TestPlugin reaches_out = {.run = run_reaches_out};
