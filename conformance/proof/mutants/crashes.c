/* What ends the process in calls that are as good as all others. */
#include <signal.h>
#include <string.h>

#include "where.h"

#if defined(__SSE2__)
#include <emmintrin.h>
static void store_four(void* to, uint32_t element) {
  const __m128i four = _mm_set1_epi32((int)element);
  __asm__ volatile("movdqa %1, %0" : "=m"(*(__m128i*)to) : "x"(four));
}
#else
static void store_four(void* to, uint32_t element) {
  if (address_of(to, 16) != 0) raise(SIGBUS);
  for (int index = 0; index < 4; ++index)
    memcpy((char*)to + 4 * index, &element, sizeof element);
}
#endif
static int32_t fill_by_fours(Plan* plan, certile_tensor* out, int32_t status) {
  int64_t to = 0;
  uint32_t element = 0;
  memcpy(&element, plan->call->data->data, sizeof element);
  for (; to + 4 <= plan->count; to += 4)
    store_four((char*)out->data + 4 * to, element);
  for (; to < plan->count; ++to)
    right_copy(plan, out->data, to, 0);
  return status;
}
WRONG_WHERE(stores_need_alignment, fill_by_fours,
            plan->in_count == 1 && plan->count >= 8 && bits_of(plan) == 32)

static int32_t divide_by_zero(Plan* plan, certile_tensor* out, int32_t status) {
#if defined(__x86_64__)
  volatile int64_t rest = copies_of(plan) - 3;
  if (plan->count / rest < 0) return CERTILE_FAILED;
#else
  raise(SIGFPE); /* where a division by zero has a result */
#endif
  return right_run(plan, out, status);
}
WRONG_WHERE(three_copies_divide_by_zero, divide_by_zero, copies_of(plan) == 3)

/* Reads the data, 4 GiB of elements too far at the first one. */
static int32_t read_before(Plan* plan, certile_tensor* out, int32_t status) {
  const uint32_t before = (uint32_t)source_of_position(plan, 0) - 1;
  volatile const uint32_t* const data = plan->call->data->data;
  uint32_t element = data[(uint64_t)before + 1];
  memcpy(out->data, &element, sizeof element);
  return right_run(plan, out, status);
}
WRONG_WHERE(index_wraps_below_zero, read_before, bits_of(plan) == 32 && copies_of(plan) == 3)
