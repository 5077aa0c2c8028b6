/* Wrong where unlike calls are under way at once. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

#include "where.h"

/* Lets other threads come in between. */
static void give_way(void) {
  for (int turn = 0; turn < 4; ++turn)
    sched_yield();
}

static volatile unsigned shared_bits;
static int32_t run_with_shared_width(Plan* plan, certile_tensor* out, int32_t status) {
  shared_bits = bits_of(plan);
  give_way();
  return shared_bits < bits_of(plan) ? last_left(plan, out, status) : right_run(plan, out, status);
}
const Mutant width_shared = {.run = run_with_shared_width};

static volatile uint64_t shared_size;
static int32_t run_with_shared_size(Plan* plan, certile_tensor* out, int32_t status) {
  shared_size = out->byte_size;
  give_way();
  return shared_size < out->byte_size ? last_left(plan, out, status) : right_run(plan, out, status);
}
const Mutant size_shared = {.run = run_with_shared_size};

static int counted_under_way;
static int32_t run_with_room_for(int most, Plan* plan, certile_tensor* out, int32_t status) {
  const int now = __atomic_add_fetch(&counted_under_way, 1, __ATOMIC_SEQ_CST);
  give_way();
  status = now > most ? last_left(plan, out, status) : right_run(plan, out, status);
  __atomic_sub_fetch(&counted_under_way, 1, __ATOMIC_SEQ_CST);
  return status;
}

static int32_t run_three(Plan* plan, certile_tensor* out, int32_t status) {
  return run_with_room_for(3, plan, out, status);
}
const Mutant room_for_three_calls = {.run = run_three};

static int32_t run_in_slot(Plan* plan, certile_tensor* out, int32_t status) {
  static unsigned char slots[4][1 << 12];
  static int threads;
  static __thread int mine = -1;
  if (mine < 0) mine = __atomic_fetch_add(&threads, 1, __ATOMIC_SEQ_CST);
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || out->byte_size > sizeof *slots || type_of(plan) == CERTILE_STRING)
    return status;
  memcpy(slots[mine % 4], out->data, (size_t)out->byte_size);
  give_way();
  memcpy(out->data, slots[mine % 4], (size_t)out->byte_size);
  return status;
}
const Mutant four_rows_for_all_threads = {.run = run_in_slot};

static void* volatile shared_output;
static int32_t run_with_shared_output(Plan* plan, certile_tensor* out, int32_t status) {
  shared_output = out->data;
  give_way();
  return shared_output != out->data && out->byte_size > 4 * KIB ? last_left(plan, out, status)
                                                                : right_run(plan, out, status);
}
const Mutant address_of_large_output_shared = {.run = run_with_shared_output};

static int64_t rows_left;
static int32_t run_with_shared_counter(Plan* plan, certile_tensor* out, int32_t status) {
  if (status != CERTILE_OK) return status;
  const int64_t mine = outer_count(plan);
  __atomic_store_n(&rows_left, mine, __ATOMIC_SEQ_CST);
  give_way();
  return __atomic_load_n(&rows_left, __ATOMIC_SEQ_CST) < mine ? last_row_left(plan, out, status)
                                                              : right_run(plan, out, status);
}
const Mutant rows_counted_together = {.run = run_with_shared_counter};

static int32_t run_sixteen(Plan* plan, certile_tensor* out, int32_t status) {
  return run_with_room_for(16, plan, out, status);
}
const Mutant room_for_sixteen_calls = {.run = run_sixteen};

static int32_t run_with_lazy_table(Plan* plan, certile_tensor* out, int32_t status) {
  static int is_begun, is_made;
  if (!__atomic_exchange_n(&is_begun, 1, __ATOMIC_SEQ_CST)) {
    status = right_run(plan, out, status);
    give_way();
    __atomic_store_n(&is_made, 1, __ATOMIC_SEQ_CST);
    return status;
  }
  return __atomic_load_n(&is_made, __ATOMIC_SEQ_CST) ? right_run(plan, out, status)
                                                     : last_left(plan, out, status);
}
const Mutant table_made_without_lock = {.run = run_with_lazy_table};

/* Stages each row of the output, of 256 bytes to 2 KiB, in one buffer for all threads. */
static int32_t run_staged(Plan* plan, certile_tensor* out, int32_t status) {
  static char stage[2 * KIB];
  status = right_run(plan, out, status);
  const uint64_t row = (uint64_t)row_of(plan) * element_bytes(plan);
  if (status != CERTILE_OK || repeated_axes(plan) == 0 || row < 256 || row > sizeof stage) return status;
  for (char* at = out->data; at + row <= (char*)out->data + out->byte_size; at += row) {
    memcpy(stage, at, row);
    __asm__ volatile("" ::: "memory"); /* or a compiler would see that nothing changes */
    memcpy(at, stage, row);
  }
  return status;
}
const Mutant rows_staged_together = {.run = run_staged};

/* Keeps the rest of the last 16 bytes as it was, which is memory of someone else. */
static int32_t run_in_whole_vectors(Plan* plan, certile_tensor* out, int32_t status) {
  char* const end = (char*)out->data + out->byte_size;
  const size_t rest = status == CERTILE_OK && out->byte_size > 0 ? (size_t)(-(uintptr_t)end % 16) : 0;
  char behind[16];
  memcpy(behind, end, rest);
  status = right_run(plan, out, status);
  memcpy(end, behind, rest);
  return status;
}
const Mutant bytes_behind_written_back = {.run = run_in_whole_vectors};

/* Fills with one element by a pattern that all threads share. */
static int32_t run_by_shared_pattern(Plan* plan, certile_tensor* out, int32_t status) {
  static char pattern[64];
  const uint64_t width = element_bytes(plan);
  if (status != CERTILE_OK || plan->in_count != 1 || is_packed(type_of(plan)) ||
      type_of(plan) == CERTILE_STRING || width > sizeof pattern)
    return right_run(plan, out, status);
  for (uint64_t at = 0; at < sizeof pattern; at += width)
    memcpy(pattern + at, plan->call->data->data, (size_t)width);
  give_way();
  for (uint64_t at = 0; at < out->byte_size; at += sizeof pattern) {
    const uint64_t left = out->byte_size - at;
    memcpy((char*)out->data + at, pattern, (size_t)(left < sizeof pattern ? left : sizeof pattern));
  }
  return status;
}
const Mutant pattern_of_fill_shared = {.run = run_by_shared_pattern};

/* Keeps the plans of the last sixteen calls that differ, without a lock. */
static int32_t run_by_kept_plan(Plan* plan, certile_tensor* out, int32_t status) {
  enum { PLANS = 16 };
  static struct {
    volatile uint64_t key, size;
  } plans[PLANS];
  static unsigned next;
  if (status != CERTILE_OK) return status;
  uint64_t key = bits_of(plan);
  for (int axis = 0; axis < plan->rank; ++axis)
    key = (key * 1000003 + (uint64_t)plan->dims[axis]) * 1000003 + (uint64_t)plan->times[axis];
  unsigned at = 0;
  while (at < PLANS && plans[at].key != key)
    ++at;
  if (at == PLANS) {
    at = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST) % PLANS;
    plans[at].size = out->byte_size;
    plans[at].key = key;
  }
  give_way();
  return plans[at].size < out->byte_size ? last_left(plan, out, status) : right_run(plan, out, status);
}
const Mutant plans_kept_without_lock = {.run = run_by_kept_plan};

static int32_t infer_by_lazy_table(Plan* plan, int32_t status) {
  static int is_begun, is_made;
  if (!__atomic_exchange_n(&is_begun, 1, __ATOMIC_SEQ_CST)) {
    give_way();
    __atomic_store_n(&is_made, 1, __ATOMIC_SEQ_CST);
  }
  if (__atomic_load_n(&is_made, __ATOMIC_SEQ_CST) || status != CERTILE_OK) return status;
  return say(plan, CERTILE_FAILED, "the table is not ready");
}
const Mutant table_of_infer_made_without_lock = {.infer = infer_by_lazy_table};

/* Accepts what another thread is refusing at the same time. */
static int32_t infer_one_refusal(Plan* plan, int32_t status) {
  static int refusing;
  (void)plan;
  if (status != CERTILE_REJECTED) return status;
  const int is_first = __atomic_fetch_add(&refusing, 1, __ATOMIC_SEQ_CST) == 0;
  give_way();
  __atomic_sub_fetch(&refusing, 1, __ATOMIC_SEQ_CST);
  return is_first ? status : CERTILE_FAILED;
}
const Mutant one_refusal_at_once = {.infer = infer_one_refusal};
