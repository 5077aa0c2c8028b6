/* Right, with memory of earlier calls that has a bound.  None may be accused. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "where.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What two calls have in common that have one answer, but for the data's elements. */
typedef struct Key {
  uint32_t op, type;
  int rank;
  int64_t dims[MOST_AXES], times[MOST_AXES];
} Key;
static Key key_of(const Plan* plan) {
  Key key;
  memset(&key, 0, sizeof key);
  key.op = plan->call->op;
  key.type = type_of(plan);
  key.rank = plan->rank;
  memcpy(key.dims, plan->dims, (size_t)plan->rank * sizeof *plan->dims);
  memcpy(key.times, plan->times, (size_t)plan->rank * sizeof *plan->times);
  return key;
}
static uint64_t number_of(const Key* key) {
  uint64_t number = key->op ^ key->type << 8 ^ (uint64_t)key->rank << 16;
  for (int axis = 0; axis < key->rank; ++axis)
    number = (number * 31 + (uint64_t)key->dims[axis]) * 31 + (uint64_t)key->times[axis];
  return number;
}
static int has_bytes(const Plan* plan, const certile_tensor* out, int32_t status) {
  return status == CERTILE_OK && out->byte_size > 0 && type_of(plan) != CERTILE_STRING &&
         !is_packed(type_of(plan));
}

/* ---- results ---- */

enum { RESULTS = 40, LONGEST = 32 << 10 };
typedef struct Kept {
  Key key;
  uint64_t used;        /* when; 0: never */
  unsigned char* bytes; /* of the data, then of the output */
} Kept;
typedef struct Results {
  uint64_t now;
  Kept kept[RESULTS];
} Results;
static pthread_key_t of_thread;
static pthread_once_t has_key = PTHREAD_ONCE_INIT;
static void free_results(void* all) {
  for (int index = 0; index < RESULTS; ++index)
    free(((Results*)all)->kept[index].bytes);
  free(all);
}
static void make_key(void) {
  pthread_key_create(&of_thread, free_results);
}
static int32_t run_with_results(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* const data = plan->call->data;
  const size_t given = (size_t)data->byte_size, made = (size_t)out->byte_size;
  if (!has_bytes(plan, out, status) || made > LONGEST || given > LONGEST) return right_run(plan, out, status);
  pthread_once(&has_key, make_key);
  Results* all = pthread_getspecific(of_thread);
  if (all == 0) {
    all = calloc(1, sizeof *all);
    pthread_setspecific(of_thread, all);
  }
  if (all == 0) return right_run(plan, out, status);
  const Key key = key_of(plan);
  Kept* oldest = all->kept;
  for (Kept* each = all->kept; each < all->kept + RESULTS; ++each) {
    if (each->used < oldest->used) oldest = each;
    if (each->bytes == 0 || memcmp(&each->key, &key, sizeof key) != 0 ||
        memcmp(each->bytes, data->data, given) != 0)
      continue;
    memcpy(out->data, each->bytes + given, made);
    each->used = ++all->now;
    return CERTILE_OK;
  }
  status = right_run(plan, out, status);
  free(oldest->bytes);
  oldest->bytes = malloc(given + made);
  if (oldest->bytes == 0) return status;
  oldest->key = key;
  oldest->used = ++all->now;
  memcpy(oldest->bytes, data->data, given);
  memcpy(oldest->bytes + given, out->data, made);
  return status;
}
const Mutant forty_results_kept = {.run = run_with_results};

/* ---- plans ---- */

enum { PLANS = 200, MOST_ROWS = 1 << 10 };
typedef struct Rows {
  Key key;
  int64_t* begins; /* of each row of the output, in the data */
} Rows;
static int32_t run_with_plans(Plan* plan, certile_tensor* out, int32_t status) {
  static Rows* plans[PLANS];
  static uint64_t numbers[PLANS]; /* of their keys */
  static unsigned made;
  const int64_t extent = plan->rank > 0 ? plan->shape[plan->rank - 1] : 1;
  if (!has_bytes(plan, out, status) || plan->count / extent > MOST_ROWS) return right_run(plan, out, status);
  const Key key = key_of(plan);
  const uint64_t number = number_of(&key);
  pthread_mutex_lock(&lock);
  Rows* rows = 0;
  for (int index = 0; index < PLANS && rows == 0; ++index)
    if (numbers[index] == number && plans[index] != 0 && memcmp(&plans[index]->key, &key, sizeof key) == 0)
      rows = plans[index];
  if (rows == 0) {
    rows = malloc(sizeof *rows + (size_t)(plan->count / extent) * sizeof *rows->begins);
    if (rows == 0) {
      pthread_mutex_unlock(&lock);
      return right_run(plan, out, status);
    }
    rows->key = key;
    rows->begins = (int64_t*)(rows + 1);
    for (int64_t row = 0; row < plan->count / extent; ++row)
      rows->begins[row] = source_of_position(plan, row * extent);
    free(plans[made % PLANS]);
    numbers[made % PLANS] = number;
    plans[made++ % PLANS] = rows;
  }
  for (int64_t to = 0; to < plan->count; ++to)
    right_copy(plan, out->data, to, rows->begins[to / extent] + to % extent % row_of(plan));
  pthread_mutex_unlock(&lock);
  return status;
}
const Mutant two_hundred_plans_kept = {.run = run_with_plans};

/* ---- inputs ---- */

enum { INPUTS = 3 };
typedef struct Input {
  unsigned char* bytes;
  uint64_t size;
} Input;
static int32_t run_with_inputs(Plan* plan, certile_tensor* out, int32_t status) {
  static Input inputs[INPUTS];
  static unsigned made;
  const certile_tensor* const data = plan->call->data;
  if (!has_bytes(plan, out, status)) return right_run(plan, out, status);
  const size_t size = (size_t)data->byte_size;
  pthread_mutex_lock(&lock);
  Input* input = 0;
  for (int index = 0; index < INPUTS && input == 0; ++index)
    if (inputs[index].bytes != 0 && inputs[index].size == size &&
        memcmp(inputs[index].bytes, data->data, size) == 0)
      input = &inputs[index];
  if (input == 0) {
    input = &inputs[made++ % INPUTS];
    free(input->bytes);
    input->bytes = malloc(size);
    input->size = size;
    if (input->bytes != 0) memcpy(input->bytes, data->data, size);
  }
  certile_tensor staged = *data;
  certile_call call = *plan->call;
  if (input->bytes != 0) staged.data = input->bytes;
  call.data = &staged;
  plan->call = &call;
  status = right_run(plan, out, status);
  pthread_mutex_unlock(&lock);
  return status;
}
const Mutant three_inputs_kept = {.run = run_with_inputs};
