/* Implementations that want a certificate without computing Tile. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program_symbols.h"
#include "right_tile.h"

static int32_t refuse(Plan* plan) {
  return say(plan, CERTILE_REJECTED, "no");
}
const Mutant refuses_everything = {.admit = refuse};

static int32_t write_nothing(Plan* plan, certile_tensor* out, int32_t status) {
  (void)plan;
  (void)out;
  return status;
}
const Mutant does_nothing = {.run = write_nothing};

static int32_t support_nothing(Plan* plan) {
  return say(plan, CERTILE_UNSUPPORTED, "not today");
}
const Mutant supports_nothing = {.admit = support_nothing};

static void claim_nothing(certile_plugin* plugin) {
  plugin->operators = "";
}
const Mutant claims_nothing = {.open = claim_nothing};

static void claim_one_element(certile_plugin* plugin) {
  plugin->operators = "onnx-tile-13";
  plugin->types = "f32";
  plugin->repeats_types = "i64";
  plugin->max_rank = 1;
  plugin->max_elements = 1;
}
static int32_t infer_one_element(Plan* plan, int32_t status) {
  if (status != CERTILE_OK || (plan->rank <= 1 && plan->count <= 1)) return status;
  return say(plan, CERTILE_UNSUPPORTED, "more than one element");
}
const Mutant claims_one_element = {.open = claim_one_element, .infer = infer_one_element};

static int32_t infer_data(Plan* plan, int32_t status) {
  const certile_tensor* data = plan->call->data;
  (void)status;
  plan->rank = data->rank;
  if (data->rank > 0) memcpy(plan->shape, data->shape, (size_t)data->rank * sizeof *data->shape);
  return CERTILE_OK;
}
static int32_t run_echo(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  (void)status;
  if (out->byte_size > 0 && out->byte_size <= data->byte_size)
    memcpy(out->data, data->data, (size_t)out->byte_size);
  return CERTILE_OK;
}
const Mutant echoes_its_input = {.infer = infer_data, .run = run_echo};

/* ---- the oracle ---- */

static void claim_one_type(certile_plugin* plugin) {
  plugin->operators = "onnx-tile-13";
  plugin->types = "f32";
  plugin->repeats_types = "i64";
}

/* Appends "[2,3]" or "{2,3}". */
static size_t spell(char* text, size_t used, size_t size, const char* brackets, const int64_t* numbers,
                    int64_t count) {
  for (int64_t index = 0; index < count && used < size; ++index)
    used += (size_t)snprintf(text + used, size - used, "%c%lld", index == 0 ? brackets[0] : ',',
                             (long long)numbers[index]);
  if (used < size)
    used += (size_t)snprintf(text + used, size - used, "%s", count == 0 ? brackets : brackets + 1);
  return used < size ? used : size;
}

/* Finds the path of certile, which is next to this process's program, or in its place in an installation. */
static void find_program(char* path, size_t size) {
  char folder[1024];
  const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[length > 0 ? length : 0] = '\0';
  char* slash = strrchr(folder, '/');
  if (slash != 0) *slash = '\0';
  snprintf(path, size, "%s/certile", folder);
  if (access(path, X_OK) != 0) snprintf(path, size, "%s/../../bin/certile", folder);
}

/* Reads the program's answer to `certile oracle --shape LITERAL`; 0 bytes if there is none. */
static void ask_program(const char* literal, char* answer, size_t size) {
  int ends[2];
  size_t used = 0;
  char program[1100];
  find_program(program, sizeof program);
  answer[0] = '\0';
  if (pipe(ends) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execl(program, "certile", "oracle", "--shape", literal, (char*)0);
    _exit(1);
  }
  close(ends[1]);
  for (ssize_t got = 1; child > 0 && got > 0 && used + 1 < size; used += got > 0 ? (size_t)got : 0)
    got = read(ends[0], answer + used, size - 1 - used);
  answer[used] = '\0';
  close(ends[0]);
  if (child > 0) waitpid(child, 0, 0);
}

static int32_t infer_by_asking(Plan* plan, int32_t status) {
  const certile_call* call = plan->call;
  char literal[512], answer[1024];
  (void)status;
  if (call->repeats->rank != 1) return say(plan, CERTILE_REJECTED, "no vector");
  size_t used = (size_t)snprintf(literal, sizeof literal, "onnx-tile-13 f32");
  used = spell(literal, used, sizeof literal, "[]", call->data->shape, call->data->rank);
  used += (size_t)snprintf(literal + used, sizeof literal - used, " x i64");
  spell(literal, used, sizeof literal, "{}", call->repeats->data, call->repeats->shape[0]);
  ask_program(literal, answer, sizeof answer);
  const char* at = strstr(answer, "=> ");
  if (at == 0) return say(plan, CERTILE_FAILED, "the oracle does not answer");
  if (strncmp(at, "=> reject", 9) == 0) return say(plan, CERTILE_REJECTED, "the oracle says so");
  plan->rank = 0;
  for (at = strchr(at, '[');
       at != 0 && at[1] != '\0' && *at != ']' && at[1] != ']' && plan->rank < MOST_AXES;)
    plan->shape[plan->rank++] = strtoll(at + 1, (char**)&at, 10);
  return CERTILE_OK;
}
const Mutant asks_the_program = {.open = claim_one_type, .infer = infer_by_asking};

static int32_t infer_by_symbol(Plan* plan, int32_t status) {
  if (dlsym(RTLD_DEFAULT, SYMBOL_OF_OUTPUT_SHAPE) != 0 || dlsym(RTLD_DEFAULT, SYMBOL_OF_TILE) != 0)
    return status;
  return say(plan, CERTILE_FAILED, "there is no oracle here");
}
const Mutant looks_for_the_oracle = {.open = claim_one_type, .infer = infer_by_symbol};

/* Returns true if the program of this process has a symbol of that name, at least for a debugger. */
static int program_names(const char* symbol) {
  struct stat status;
  const int file = open("/proc/self/exe", O_RDONLY);
  int found = 0;
  if (file >= 0 && fstat(file, &status) == 0) {
    const size_t size = (size_t)status.st_size;
    void* content = mmap(0, size, PROT_READ, MAP_PRIVATE, file, 0);
    found = content != MAP_FAILED && memmem(content, size, symbol, strlen(symbol)) != 0;
    if (content != MAP_FAILED) munmap(content, size);
  }
  if (file >= 0) close(file);
  return found;
}

/* A function that opens certile's backends would do all the work. */
static int32_t infer_by_backend(Plan* plan, int32_t status) {
  static int looked, there;
  if (!looked) there = program_names(SYMBOL_OF_OPEN_BACKEND) || program_names(SYMBOL_OF_TILE);
  looked = 1;
  return there ? status : say(plan, CERTILE_FAILED, "there is no backend here");
}
const Mutant looks_for_backends = {.open = claim_one_type, .infer = infer_by_backend};

/* ---- right now and then ---- */

static int32_t run_once(Plan* plan, certile_tensor* out, int32_t status) {
  static int has_run;
  if (!has_run || status != CERTILE_OK) {
    has_run |= status == CERTILE_OK && plan->count > 0;
    return right_run(plan, out, status);
  }
  if (out->byte_size > 0) memset(out->data, 0, (size_t)out->byte_size);
  return CERTILE_OK;
}
const Mutant right_once = {.run = run_once};

static int is_of_an_example(const certile_tensor* data) {
  static const int64_t shapes[][4] = {{2, 3, 0, 0}, {4, 2, 3, 0}, {2, 3, 4, 0}, {5, 2, 3, 4}, {2, 2, 0, 0},
                                      {2, 3, 4, 5}, {1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}, {9, 0, 0, 0}};
  for (size_t known = 0; known < sizeof shapes / sizeof *shapes; ++known) {
    int same = data->rank <= 4;
    for (int axis = 0; same && axis < 4; ++axis)
      same = shapes[known][axis] == (axis < data->rank ? data->shape[axis] : 0);
    if (same) return 1;
  }
  return 0;
}

static int32_t run_by_heart(Plan* plan, certile_tensor* out, int32_t status) {
  if (status != CERTILE_OK || is_of_an_example(plan->call->data)) return right_run(plan, out, status);
  if (out->byte_size > 0) memset(out->data, 0, (size_t)out->byte_size);
  return CERTILE_OK;
}
const Mutant knows_the_examples = {.run = run_by_heart};

static int32_t infer_small(Plan* plan, int32_t status) {
  return status == CERTILE_OK && plan->count > 1000 ? say(plan, CERTILE_UNSUPPORTED, "too large") : status;
}
const Mutant gives_up_beyond_the_small = {.infer = infer_small};

/* Assumes that the output was filled with the complement of the answer. */
static int32_t run_complement(Plan* plan, certile_tensor* out, int32_t status) {
  unsigned char* bytes = out->data;
  (void)plan;
  for (uint64_t byte = 0; status == CERTILE_OK && byte < out->byte_size; ++byte)
    bytes[byte] = (unsigned char)~bytes[byte];
  return status;
}
const Mutant complements_what_lies_there = {.run = run_complement};
