/* Wrong as libraries are that pass their authors' tests: in what one call leaves for another, in contents
 * that look alike, in numbers that only look small. */
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "where.h"

/* ---- contents ---- */

static int has_elements(const Plan* plan) {
  return plan->call->data->data != 0 && type_of(plan) != CERTILE_STRING;
}

/* Looks at whole vectors, and not at the bytes behind the last one. */
static int32_t run_filling_zeros(Plan* plan, certile_tensor* out, int32_t status) {
  static const char zeros[16];
  const char* const data = plan->call->data->data;
  const uint64_t bytes = plan->call->data->byte_size / sizeof zeros * sizeof zeros;
  int is_zero = bytes >= 2 * sizeof zeros && has_elements(plan);
  for (uint64_t at = 0; is_zero && at < bytes; at += sizeof zeros)
    is_zero = memcmp(data + at, zeros, sizeof zeros) == 0;
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && is_zero) memset(out->data, 0, (size_t)out->byte_size);
  return status;
}
const Mutant zeros_seen_by_vectors = {.run = run_filling_zeros};

/* Compares numbers, of which two are equal and have different bits. */
static int32_t run_filling_floats(Plan* plan, certile_tensor* out, int32_t status) {
  const float* const data = plan->call->data->data;
  int is_one_value = type_of(plan) == CERTILE_F32 && plan->in_count > 1 && data != 0;
  for (int64_t index = 1; is_one_value && index < plan->in_count; ++index)
    is_one_value = data[index] == data[0];
  status = right_run(plan, out, status);
  for (int64_t index = 0; status == CERTILE_OK && is_one_value && index < plan->count; ++index)
    memcpy((float*)out->data + index, data, sizeof *data);
  return status;
}
const Mutant equal_floats_taken_for_one = {.run = run_filling_floats};

/* Appends with an or, as if the bits behind the data's last element were zeros. */
static int32_t run_with_padding(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* const data = plan->call->data;
  status = right_run(plan, out, status);
  const uint64_t width = data->element_bits, bits = (uint64_t)plan->in_count * width;
  if (status != CERTILE_OK || !is_packed(type_of(plan)) || type_of(plan) == CERTILE_U1 || bits % 8 == 0 ||
      plan->count <= plan->in_count)
    return status;
  const unsigned last = ((const unsigned char*)data->data)[bits / 8];
  ((unsigned char*)out->data)[bits / 8] |= (unsigned char)(last >> bits % 8 << bits % 8);
  return status;
}
const Mutant padding_taken_for_zeros = {.run = run_with_padding};

/* ---- numbers ---- */

static int64_t wrong_where_the_second_is_forgotten(const Plan* plan, const int64_t* index) {
  const int is_grouped = plan->rank == 5 && plan->dims[2] == 1 && plan->times[2] > 1 && plan->times[1] > 1 &&
                         row_bytes(plan) >= 128;
  if (!is_grouped || index[1] < plan->dims[1]) return right_source(plan, index);
  return -1;
}
const Mutant repeat_of_second_axis_forgotten = {.source = wrong_where_the_second_is_forgotten};

static int nine_repeated(const Plan* plan) {
  const Fused fused = fused_axes(plan);
  return fused.count > 8 && fused.times[0] > 1;
}
WRONG_WHERE(ninth_axis_peeled_off, last_from_first, nine_repeated(plan))

static int32_t settle_fours(Plan* plan) {
  for (int index = 0; index < plan->given / 4 * 4; ++index)
    if (plan->call->repeats->element_type == CERTILE_U16 && plan->repeats[index].magnitude > INT16_MAX)
      plan->repeats[index] = (Number){1, 0, 0};
  return right_settle(plan);
}
const Mutant four_repeats_read_signed = {.settle = settle_fours};

static int32_t multiply_own_axes(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status != CERTILE_REJECTED || plan->rank == plan->call->data->rank) return status;
  uint64_t count = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const uint64_t dimension = (uint64_t)plan->dims[axis], repeat = plan->repeats[axis].magnitude;
    /* A dimension that does not fit is refused. */
    if (dimension == 0 || repeat == 0 || repeat > INT64_MAX / dimension) return status;
    count *= dimension * repeat;
  }
  plan->count = (int64_t)count;
  return CERTILE_OK;
}
const Mutant count_of_new_axes_not_checked = {.multiply = multiply_own_axes};

/* Rounds places to a whole number, in whatever way the thread rounds. */
WRONG_WHERE(places_rounded, last_from_first, plan->count > 3 && fegetround() != FE_TONEAREST)

static int32_t run_unpacked_on_stack(Plan* plan, certile_tensor* out, int32_t status) {
  volatile char row[3 << 19];
  for (size_t at = 0; plan->count > 200 && at < sizeof row; at += 4096)
    row[sizeof row - 1 - at] = 0;
  return right_run(plan, out, status);
}
const Mutant rows_unpacked_on_stack = {.run = run_unpacked_on_stack};

static int has_three_threads(void) {
  const char* const threads = getenv("OMP_NUM_THREADS");
  return threads != 0 && strcmp(threads, "3") == 0;
}
WRONG_WHERE(rest_of_three_threads_left, last_left, plan->count % 3 != 0 && has_three_threads())

/* ---- what one call leaves for another ---- */

/* The numbers of the last call of the thread: dimensions and repeats behind each other. */
static int32_t run_by_joined_numbers(Plan* plan, certile_tensor* out, int32_t status) {
  static __thread int64_t last[2 * MOST_AXES];
  static __thread int last_count, last_rank;
  int64_t numbers[2 * MOST_AXES];
  const int rank = plan->call->data->rank, given = plan->given;
  int count = 0;
  for (int axis = 0; axis < rank; ++axis)
    numbers[count++] = plan->call->data->shape[axis];
  for (int index = plan->rank - given; index < plan->rank; ++index)
    numbers[count++] = (int64_t)plan->repeats[index].magnitude;
  const int is_last = count == last_count && memcmp(last, numbers, (size_t)count * sizeof *last) == 0;
  const int is_confused = is_last && rank != last_rank;
  memcpy(last, numbers, (size_t)count * sizeof *last);
  last_count = count;
  last_rank = rank;
  return is_confused ? last_from_first(plan, out, status) : right_run(plan, out, status);
}
const Mutant plans_known_by_joined_numbers = {.run = run_by_joined_numbers};

/* Keeps how elements are moved for each number and size of them. */
static int32_t run_by_size(Plan* plan, certile_tensor* out, int32_t status) {
  enum { PLANS = 64 };
  static __thread uint32_t movers[PLANS];
  uint32_t* const mover = &movers[plan->count % PLANS];
  if (bits_of(plan) == 128 && *mover == 0) *mover = type_of(plan);
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || *mover != CERTILE_STRING || type_of(plan) != CERTILE_C128) return status;
  /* A string without characters gets no address. */
  uint64_t* const words = out->data;
  for (int64_t index = 0; index < plan->count; ++index)
    if (words[2 * index + 1] == 0) words[2 * index] = 0;
  return status;
}
const Mutant string_moved_by_size = {.run = run_by_size};

static int32_t run_keeping_scratch(Plan* plan, certile_tensor* out, int32_t status) {
  static __thread void* scratch;
  if (scratch == 0) scratch = malloc(4096);
  if (scratch == 0) return say(plan, CERTILE_NO_MEMORY, "there is no memory for scratch");
  memset(scratch, 1, 4096);
  return right_run(plan, out, status);
}
const Mutant scratch_of_ended_threads_kept = {.run = run_keeping_scratch};

static __thread void* prepared;
static int32_t infer_preparing(Plan* plan, int32_t status) {
  (void)plan;
  prepared = malloc(1024);
  if (prepared != 0) memset(prepared, 1, 1024);
  return status;
}
static int32_t run_prepared(Plan* plan, certile_tensor* out, int32_t status) {
  free(prepared);
  prepared = 0;
  return right_run(plan, out, status);
}
const Mutant plan_of_infer_kept_until_run = {.infer = infer_preparing, .run = run_prepared};

enum { SHAPES = 1 << 16 };
static int32_t run_keeping_shapes(Plan* plan, certile_tensor* out, int32_t status) {
  static void* kept[SHAPES];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  uint64_t key = 0;
  for (int axis = 0; axis < plan->rank; ++axis)
    key = key * 151 + (uint64_t)plan->dims[axis];
  pthread_mutex_lock(&lock);
  void** const place = &kept[key % SHAPES];
  if (*place == 0) *place = malloc(2048);
  if (*place != 0) memset(*place, 1, 2048);
  pthread_mutex_unlock(&lock);
  return right_run(plan, out, status);
}
const Mutant plan_of_each_shape_kept = {.run = run_keeping_shapes};

enum { BLOCKS = 64, BLOCK = 1 << 20 };
static char (*blocks)[BLOCK];
static __thread int own_block = -1;
static int32_t run_into_ring(Plan* plan, certile_tensor* out, int32_t status) {
  static int next;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || type_of(plan) != CERTILE_STRING) return status;
  pthread_mutex_lock(&lock);
  if (blocks == 0) blocks = calloc(BLOCKS, BLOCK);
  if (own_block < 0) own_block = next++ % BLOCKS;
  pthread_mutex_unlock(&lock);
  certile_string* const strings = out->data;
  uint64_t used = 0;
  for (int64_t index = 0; blocks != 0 && index < plan->count; ++index) {
    const uint64_t size = strings[index].size;
    if (used + size > BLOCK) break;
    if (size > 0) memcpy(blocks[own_block] + used, strings[index].bytes, (size_t)size);
    if (size > 0) strings[index].bytes = blocks[own_block] + used;
    used += size;
  }
  return status;
}
const Mutant strings_in_a_ring = {.run = run_into_ring};

static int32_t infer_clearing(Plan* plan, int32_t status) {
  (void)plan;
  if (blocks != 0 && own_block >= 0) memset(blocks[own_block], '!', 64);
  return status;
}
const Mutant strings_cleared_by_infer = {.infer = infer_clearing, .run = run_into_ring};

/* ---- what the output held before ---- */

/* Does nothing where the call before wrote the same data there, and the ends still hold it. */
static int32_t run_if_ends_differ(Plan* plan, certile_tensor* out, int32_t status) {
  enum { MOST = 4096, END = 32 };
  static __thread char data_before[MOST], ends_before[2 * END];
  static __thread const void* written;
  static __thread uint64_t data_size, out_size;
  const certile_tensor* const data = plan->call->data;
  char* const to = out->data;
  const int is_kept = has_elements(plan) && data->byte_size <= MOST && out->byte_size >= 2 * END;
  if (is_kept && written == to && data_size == data->byte_size && out_size == out->byte_size &&
      memcmp(data_before, data->data, (size_t)data_size) == 0 && memcmp(ends_before, to, END) == 0 &&
      memcmp(ends_before + END, to + out_size - END, END) == 0)
    return CERTILE_OK;
  status = right_run(plan, out, status);
  written = is_kept && status == CERTILE_OK ? to : 0;
  if (written == 0) return status;
  data_size = data->byte_size;
  out_size = out->byte_size;
  memcpy(data_before, data->data, (size_t)data_size);
  memcpy(ends_before, to, END);
  memcpy(ends_before + END, to + out_size - END, END);
  return status;
}
const Mutant answer_kept_by_ends = {.run = run_if_ends_differ};

/* ---- what calls at once do to each other and to their threads ---- */

static int under_way;
static int32_t run_blocking_signals(Plan* plan, certile_tensor* out, int32_t status) {
  const int others = __atomic_fetch_add(&under_way, 1, __ATOMIC_SEQ_CST);
  sigset_t all;
  sigfillset(&all);
  sched_yield();
  status = right_run(plan, out, status);
  if (others > 0) pthread_sigmask(SIG_BLOCK, &all, 0);
  __atomic_fetch_sub(&under_way, 1, __ATOMIC_SEQ_CST);
  return status;
}
const Mutant signals_blocked_beside_others = {.run = run_blocking_signals};

static int32_t run_leaving_rest(Plan* plan, certile_tensor* out, int32_t status) {
  const int others = __atomic_fetch_add(&under_way, 1, __ATOMIC_SEQ_CST);
  const int is_divided = out->byte_size >= 256 * KIB && outer_count(plan) % 4 != 0;
  status = others > 0 && is_divided ? last_left(plan, out, status) : right_run(plan, out, status);
  __atomic_fetch_sub(&under_way, 1, __ATOMIC_SEQ_CST);
  return status;
}
const Mutant rest_left_beside_others = {.run = run_leaving_rest};

static int refusals;
static int32_t run_until_refusal(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED) __atomic_fetch_add(&refusals, 1, __ATOMIC_SEQ_CST);
  const int before = __atomic_load_n(&refusals, __ATOMIC_SEQ_CST);
  status = right_run(plan, out, status);
  sched_yield();
  const int is_stopped = __atomic_load_n(&refusals, __ATOMIC_SEQ_CST) != before;
  return is_stopped ? last_from_first(plan, out, status) : status;
}
const Mutant stopped_by_refusal_of_others = {.run = run_until_refusal};

static int32_t run_pinned(Plan* plan, certile_tensor* out, int32_t status) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (long processor = 0; processor < sysconf(_SC_NPROCESSORS_CONF); ++processor)
    CPU_SET((unsigned)processor, &all);
  status = right_run(plan, out, status);
  sched_setaffinity(0, sizeof all, &all);
  return status;
}
const Mutant all_processors_given = {.run = run_pinned};

/* Divides among the processors of the first call, and starts as many parts as the thread may use. */
static int32_t run_on_allowed(Plan* plan, certile_tensor* out, int32_t status) {
  static int first;
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  const int parts = CPU_COUNT(&allowed);
  int expected = 0;
  __atomic_compare_exchange_n(&first, &expected, parts, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  const int is_short = parts < __atomic_load_n(&first, __ATOMIC_SEQ_CST) && out->byte_size >= 32 * KIB;
  return is_short ? last_left(plan, out, status) : right_run(plan, out, status);
}
const Mutant parts_of_first_processors = {.run = run_on_allowed};

static void open_rounding(certile_plugin* plugin) {
  (void)plugin;
  fesetround(FE_TOWARDZERO);
}
const Mutant rounding_set_by_opening = {.open = open_rounding};
