/* A worker in C, of openvino-tile-1; protocol.md specifies the messages.  Its words are JSON, which cJSON
   reads and writes. cc -O2 -o example example_worker.c -lcjson && certile certify worker:./example */
#define _POSIX_C_SOURCE 200809L
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_AXES = 64 };

static const char* const types[] = {"boolean", "i8",     "i16", "i32",  "i64", "u8",  "u16",
                                    "u32",     "u64",    "f16", "bf16", "f32", "f64", "f8e4m3",
                                    "f8e5m2",  "f8e8m0", "c64", "c128", NULL};
static const char* const integers[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", NULL};

struct message {
  cJSON *header, *words;
  unsigned char* body;
};

struct call {
  uint64_t shape[MOST_AXES], repeats[MOST_AXES], output[MOST_AXES]; /* all of this rank, padded with 1 */
  size_t rank, width, bytes;                                        /* width: of an element */
};

static FILE *questions, *answers;

static const char* word(const cJSON* words, const char* name) {
  const char* text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(words, name));
  return text != NULL ? text : "";
}

static size_t offset(const cJSON* tensor, int end) {
  const cJSON* offsets = cJSON_GetObjectItemCaseSensitive(tensor, "data_offsets");
  return offsets != NULL ? (size_t)cJSON_GetArrayItem(offsets, end)->valuedouble : 0;
}

static const unsigned char* content(const struct message* message, const char* name) {
  return message->body + offset(cJSON_GetObjectItemCaseSensitive(message->header, name), 0);
}

static void out_of_memory(void) {
  fputs("no memory for a message\n", stderr);
  exit(1);
}

static void* room(size_t size) {
  void* bytes = malloc(size + 1);
  if (bytes == NULL) out_of_memory();
  return bytes;
}

static bool read_message(struct message* message) {
  unsigned char prefix[8];
  uint64_t length = 0;
  size_t end = 0;
  if (fread(prefix, 1, sizeof prefix, questions) != sizeof prefix) return false;
  for (int byte = 7; byte >= 0; --byte)
    length = length << 8 | prefix[byte];
  char* text = room(length);
  const bool whole = fread(text, 1, length, questions) == length;
  message->header = whole ? cJSON_ParseWithLength(text, length) : NULL;
  free(text);
  if (message->header == NULL) return false;
  message->words = cJSON_GetObjectItemCaseSensitive(message->header, "__metadata__");
  for (const cJSON* each = message->header->child; each != NULL; each = each->next)
    if (each != message->words && offset(each, 1) > end) end = offset(each, 1);
  message->body = room(end);
  return fread(message->body, 1, end, questions) == end;
}

/* Writes `words`, and one tensor if it has bytes. */
static void say(cJSON* words, const char* name, const char* dtype, size_t count, const void* bytes,
                size_t size) {
  cJSON* header = cJSON_CreateObject();
  unsigned char prefix[8];
  cJSON_AddItemToObject(header, "__metadata__", words);
  if (name != NULL) {
    cJSON* tensor = cJSON_AddObjectToObject(header, name);
    cJSON_AddStringToObject(tensor, "dtype", dtype);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(tensor, "shape"), cJSON_CreateNumber((double)count));
    cJSON* offsets = cJSON_AddArrayToObject(tensor, "data_offsets");
    cJSON_AddItemToArray(offsets, cJSON_CreateNumber(0));
    cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)size));
  }
  char* text = cJSON_PrintUnformatted(header);
  if (text == NULL) out_of_memory();
  uint64_t length = strlen(text);
  for (int byte = 0; byte < 8; ++byte)
    prefix[byte] = (unsigned char)(length >> (8 * byte));
  fwrite(prefix, 1, sizeof prefix, answers);
  fwrite(text, 1, length, answers);
  if (name != NULL) fwrite(bytes, 1, size, answers);
  fflush(answers);
  cJSON_free(text);
  cJSON_Delete(header);
}

static bool is_one_of(const char* name, const char* const* names) {
  while (*names != NULL && strcmp(*names, name) != 0)
    ++names;
  return *names != NULL;
}

/* Reads the sizes of "2,3"; those beyond the room are only counted. */
static size_t shape_of(const char* text, uint64_t* shape) {
  size_t rank = 0;
  for (char* end = NULL; *text != '\0'; text = *end == ',' ? end + 1 : end, ++rank) {
    const uint64_t size = strtoull(text, &end, 10);
    if (rank < MOST_AXES) shape[rank] = size;
  }
  return rank;
}

/* Returns an element of the repeats; a negative one counts as 0. */
static uint64_t repeat_at(const unsigned char* bytes, const char* type, size_t index) {
  const size_t width = (size_t)strtoul(type + 1, NULL, 10) / 8;
  uint64_t bits = 0;
  for (size_t byte = width; byte-- > 0;)
    bits = bits << 8 | bytes[index * width + byte];
  const bool negative = *type == 'i' && (bits >> (width * 8 - 1)) != 0;
  return negative ? 0 : bits; /* [OV-T1-X5] */
}

/* Fills in the call. Returns its status, and sets `why` unless that is "ok". */
static const char* understand(const struct message* message, struct call* call, const char** why) {
  const char *type = word(message->words, "data.type"), *repeats_type = word(message->words, "repeats.type");
  uint64_t shape[MOST_AXES], dimensions[MOST_AXES] = {0};
  size_t rank = shape_of(word(message->words, "data.shape"), shape);
  *why = "not claimed";
  if (strcmp(word(message->words, "op"), "openvino-tile-1") != 0 || !is_one_of(type, types) ||
      !is_one_of(repeats_type, integers))
    return "unsupported";
  *why = "repeats must be a vector"; /* [OV-T1-X3] */
  if (shape_of(word(message->words, "repeats.shape"), dimensions) != 1) return "rejected";
  const size_t count = (size_t)dimensions[0];
  *why = "too many axes";
  if (rank > MOST_AXES || count > MOST_AXES) return "unsupported";
  call->rank = rank > count ? rank : count; /* [OV-T1-O1] */
  call->width = strtoul(word(message->words, "element_bits"), NULL, 10) / 8;
  uint64_t elements = 1;
  bool overflows = false, empty = false;
  *why = "the output has more than 2^63 - 1 elements"; /* [OV-T1-X12] */
  for (size_t axis = 0; axis < call->rank; ++axis) {
    const size_t missing = call->rank - rank, unsaid = call->rank - count; /* [OV-T1-R1] [OV-T1-R2] */
    call->shape[axis] = axis < missing ? 1 : shape[axis - missing];
    call->repeats[axis] =
        axis < unsaid ? 1 : repeat_at(content(message, "repeats"), repeats_type, axis - unsaid);
    uint64_t* size = &call->output[axis];
    if (__builtin_mul_overflow(call->shape[axis], call->repeats[axis], size) || *size > INT64_MAX)
      return "rejected";
    empty = empty || *size == 0;
    overflows = __builtin_mul_overflow(elements, *size, &elements) || overflows;
  }
  if (!empty && (overflows || elements > INT64_MAX)) return "rejected";
  *why = "the output is too large for this computer";
  if (empty)
    call->bytes = 0;
  else if (__builtin_mul_overflow((size_t)elements, call->width, &call->bytes))
    return "no_memory";
  return "ok";
}

/* Copies the blocks of an axis as often as it repeats; returns the end of the output. Never called for an
 * empty output. */
static unsigned char* tile(const struct call* call, size_t axis, const unsigned char** data,
                           unsigned char* output) {
  if (axis == call->rank) {
    memcpy(output, *data, call->width);
    *data += call->width;
    return output + call->width;
  }
  unsigned char* begin = output;
  for (uint64_t index = 0; index < call->shape[axis]; ++index)
    output = tile(call, axis + 1, data, output);
  const size_t size = (size_t)(output - begin);
  for (uint64_t turn = 1; turn < call->repeats[axis]; ++turn, output += size)
    memcpy(output, begin, size); /* [OV-T1-G2] */
  return output;
}

static void run(const struct message* message, const struct call* call, unsigned char* output) {
  const unsigned char* data = content(message, "data");
  if (call->bytes > 0) tile(call, 0, &data, output);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void answer_call(const struct message* message, const char* command, cJSON* words) {
  struct call call;
  const char* why = "";
  const char* status = understand(message, &call, &why);
  const bool infers = strcmp(command, "infer") == 0, ok = strcmp(status, "ok") == 0;
  unsigned char* output = ok && !infers ? malloc(call.bytes + 1) : NULL;
  if (ok && !infers && output == NULL) {
    status = "no_memory";
    why = "the output has no room";
  }
  cJSON_AddStringToObject(words, "status", status);
  if (strcmp(status, "ok") != 0) {
    cJSON_AddStringToObject(words, "why", why);
    say(words, NULL, NULL, 0, NULL, 0);
    return;
  }
  char shape[MOST_AXES * 21 + 1] = "";
  for (size_t axis = 0, at = 0; axis < call.rank; ++axis)
    at += (size_t)snprintf(shape + at, sizeof shape - at, axis == 0 ? "%lld" : ",%lld",
                           (long long)call.output[axis]);
  if (infers) {
    cJSON_AddStringToObject(words, "shape", shape);
    say(words, NULL, NULL, 0, NULL, 0);
  } else if (strcmp(command, "time") == 0) {
    const size_t count = strtoul(word(message->words, "repetitions"), NULL, 10);
    int64_t* nanoseconds = room(count * sizeof *nanoseconds);
    for (size_t turn = 0; turn < count; ++turn) {
      const int64_t start = now();
      run(message, &call, output);
      nanoseconds[turn] = now() - start;
    }
    say(words, "nanoseconds", "I64", count, nanoseconds, count * sizeof *nanoseconds);
    free(nanoseconds);
  } else {
    run(message, &call, output);
    cJSON_AddStringToObject(words, "out.type", word(message->words, "data.type"));
    cJSON_AddStringToObject(words, "out.shape", shape);
    say(words, "out", "U8", call.bytes, output, call.bytes);
  }
  free(output);
}

static void add_names(cJSON* words, const char* key, const char* const* names) {
  char text[256] = "";
  for (size_t at = 0; *names != NULL; ++names)
    at += (size_t)snprintf(text + at, sizeof text - at, at == 0 ? "%s" : " %s", *names);
  cJSON_AddStringToObject(words, key, text);
}

static void answer_hello(cJSON* words) {
  cJSON_AddStringToObject(words, "name", "example-c");
  cJSON_AddStringToObject(words, "version", "1");
  cJSON_AddStringToObject(words, "operators", "openvino-tile-1");
  add_names(words, "types", types);
  add_names(words, "repeats_types", integers);
  cJSON_AddStringToObject(words, "infer", "yes");
  cJSON_AddStringToObject(words, "max_rank", "64");
}

int main(void) {
  struct message message;
  bool ends = false;
  questions = stdin;
  answers = fdopen(dup(1), "wb"); /* descriptor 1 belongs to the protocol ... */
  dup2(2, 1);                     /* ... and whatever prints, prints to stderr */
  while (!ends && read_message(&message)) {
    cJSON* words = cJSON_CreateObject();
    const char* command = word(message.words, "cmd");
    cJSON_AddStringToObject(words, "seq", word(message.words, "seq"));
    ends = strcmp(command, "bye") == 0;
    if (*word(message.words, "op") != '\0') {
      answer_call(&message, command, words);
    } else {
      cJSON_AddStringToObject(words, "status", "ok");
      if (!ends) answer_hello(words);
      say(words, NULL, NULL, 0, NULL, 0);
    }
    free(message.body);
    cJSON_Delete(message.header);
  }
  return 0;
}
