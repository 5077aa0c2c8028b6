/* Special kernels for some lengths of a row and some numbers of copies, which are wrong. */
#include "where.h"

/* Returns whether rows have that number of elements. */
static int has_row(const Plan* plan, unsigned bits, int64_t elements) {
  return plan->rank > 0 && bits_of(plan) == bits && row_of(plan) == elements;
}
/* Returns whether patterns of those bytes have at least that number of copies. */
static int has_pattern(const Plan* plan, uint64_t bytes, int64_t copies) {
  return plan->rank > 0 && bits_of(plan) % 8 == 0 && row_bytes(plan) == bytes && last_times(plan) >= copies;
}

WRONG_WHERE(row_of_29_bytes_wrong, last_from_first, has_row(plan, 8, 29))
WRONG_WHERE(row_of_61_bytes_wrong, middle_from_next, has_row(plan, 8, 61) && last_times(plan) > 1)
WRONG_WHERE(row_of_640_wrong, last_from_first, has_row(plan, 32, 640))
WRONG_WHERE(dimension_of_224_wrong, middle_from_next,
            plan->rank >= 2 && (plan->dims[0] == 224 || row_of(plan) == 224))
WRONG_WHERE(row_of_7_doubles_wrong, last_from_first,
            has_row(plan, 64, 7) && last_times(plan) >= 9 && last_times(plan) <= 16)
WRONG_WHERE(row_of_5_wide_wrong, last_from_first, has_row(plan, 128, 5) && last_times(plan) > 1)
WRONG_WHERE(rows_of_48_bytes_wrong, last_left,
            row_bytes(plan) > 48 && row_bytes(plan) % 48 == 0 && row_bytes(plan) % 32 != 0)
WRONG_WHERE(pattern_of_3_bytes_wrong, last_left, has_pattern(plan, 3, 43))
WRONG_WHERE(pattern_of_6_bytes_wrong, last_left, has_pattern(plan, 6, 11) && last_times(plan) <= 21)
WRONG_WHERE(fills_of_100_wrong, last_left,
            plan->rank > 0 && row_of(plan) == 1 && last_times(plan) >= 100 && last_times(plan) <= 127)
WRONG_WHERE(copies_below_doubling_left, last_row_left, last_times(plan) % 48 == 47)
WRONG_WHERE(rows_that_leave_5_bits_wrong, last_from_first,
            type_of(plan) == CERTILE_U1 && row_of(plan) > 24 && row_of(plan) % 8 == 5)
