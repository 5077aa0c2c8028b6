/* Special kernels that a dispatcher chooses by several properties at once, each wrong. */
#include "where.h"

static int wide(const Plan* plan, unsigned bytes) {
  return bits_of(plan) == 8 * bytes && type_of(plan) != CERTILE_STRING;
}
static int within(uint64_t value, uint64_t least, uint64_t most) {
  return value >= least && value <= most;
}
static uint64_t row(const Plan* plan) {
  return (uint64_t)row_of(plan);
}
static uint64_t copies(const Plan* plan) {
  return (uint64_t)last_times(plan);
}
static uint64_t outer(const Plan* plan) {
  return (uint64_t)outer_count(plan);
}
static int merged(const Plan* plan) {
  return fused_axes(plan).count;
}
/* The repeat of the axis before the last one. */
static uint64_t block_copies(const Plan* plan) {
  return plan->rank >= 2 ? (uint64_t)plan->times[plan->rank - 2] : 1;
}

/* ---- rows ---- */

WRONG_WHERE(rows_of_2_kib_wrong, last_left,
            wide(plan, 1) && within(row(plan), 2048, 4095) && copies(plan) >= 3)
WRONG_WHERE(rows_of_4096_halves_wrong, last_left,
            wide(plan, 2) && within(row(plan), 4096, 16384) && copies(plan) >= 2)
WRONG_WHERE(rows_of_5000_wrong, last_left, wide(plan, 4) && within(row(plan), 5000, 9000))
WRONG_WHERE(rows_of_300_wide_wrong, last_from_first, wide(plan, 16) && within(row(plan), 300, 400))
WRONG_WHERE(many_rows_of_17_halves_wrong, last_left,
            wide(plan, 2) && within(row(plan), 17, 23) && copies(plan) >= 8 && outer(plan) >= 16)
WRONG_WHERE(many_rows_of_9_wrong, last_left,
            wide(plan, 4) && within(row(plan), 9, 11) && copies(plan) == 1 && outer(plan) >= 64)
WRONG_WHERE(row_of_3_doubles_in_33_copies_wrong, last_left,
            wide(plan, 8) && row(plan) == 3 && copies(plan) >= 33)
WRONG_WHERE(row_of_3_wide_in_17_copies_wrong, last_left,
            wide(plan, 16) && row(plan) == 3 && copies(plan) >= 17)
WRONG_WHERE(rows_below_256_bytes_wrong, last_left,
            wide(plan, 1) && within(row(plan), 251, 255) && copies(plan) == 1 && block_copies(plan) >= 3)

/* ---- fills: one element, many copies ---- */

WRONG_WHERE(fill_of_1025_halves_wrong, last_left,
            wide(plan, 2) && row(plan) == 1 && within(copies(plan), 1025, 2000))
WRONG_WHERE(fill_of_33_wide_wrong, last_left,
            wide(plan, 16) && row(plan) == 1 && within(copies(plan), 33, 47) && outer(plan) > 1)
WRONG_WHERE(fill_of_7_in_100_rows_wrong, last_left,
            wide(plan, 4) && row(plan) == 1 && copies(plan) == 7 && outer(plan) >= 100)

/* ---- blocks ---- */

WRONG_WHERE(middle_blocks_of_5_kib_wrong, last_vector_left,
            plan->rank >= 3 && within(largest_block(plan, 5), 5 * KIB, 12 * KIB) && copies(plan) == 1 &&
                plan->times[0] == 1)
WRONG_WHERE(first_blocks_of_256_kib_wrong, last_vector_left,
            plan->rank >= 2 && plan->times[0] > 1 && within(largest_block(plan, 2), 256 * KIB, 512 * KIB))
WRONG_WHERE(blocks_above_2_mib_wrong, last_vector_left, largest_block(plan, 2) > 2 * MIB)
WRONG_WHERE(blocks_copied_ten_times_wrong, last_vector_left, largest_block(plan, 10) > 64 * KIB)
WRONG_WHERE(odd_blocks_wrong, last_left, largest_block(plan, 3) > KIB && largest_block(plan, 3) % 2 == 1)
WRONG_WHERE(nested_blocks_wrong, last_left, copies(plan) >= 16 && block_copies(plan) >= 3 && row(plan) >= 8)
WRONG_WHERE(blocks_of_wide_elements_wrong, last_left, wide(plan, 16) && largest_block(plan, 2) > 100 * KIB)

/* ---- axes and sizes together ---- */

WRONG_WHERE(five_merged_axes_of_doubles_wrong, last_left,
            wide(plan, 8) && merged(plan) == 5 && out->byte_size > 32 * KIB)
WRONG_WHERE(three_merged_axes_of_wide_wrong, last_left,
            wide(plan, 16) && merged(plan) == 3 && out->byte_size > MIB)
WRONG_WHERE(outer_index_of_doubles_in_16_bits, last_left, wide(plan, 8) && outer(plan) > 65535)
WRONG_WHERE(four_repeats_above_256_kib_wrong, last_left,
            repeated_axes(plan) >= 4 && out->byte_size > 256 * KIB)
WRONG_WHERE(long_rows_of_booleans_wrong, last_left,
            type_of(plan) == CERTILE_BOOLEAN && row(plan) >= 65 && copies(plan) > 1)

/* ---- places and sizes together ---- */

WRONG_WHERE(long_rows_unlike_modulo_4_wrong, last_left,
            row_bytes(plan) >= 256 && address_of(plan->call->data->data, 4) != address_of(out->data, 4))
WRONG_WHERE(large_output_unlike_modulo_32_wrong, last_from_first,
            out->byte_size > 512 * KIB && address_of(plan->call->data->data, 32) != address_of(out->data, 32))
WRONG_WHERE(blocks_at_24_modulo_32_wrong, last_left,
            largest_block(plan, 2) > 4 * KIB && address_of(out->data, 32) == 24)

/* ---- bits in special kernels ---- */

WRONG_WHERE(nans_quieted_in_fills, nans_quieted,
            type_of(plan) == CERTILE_F32 && row(plan) == 1 && copies(plan) >= 64)
WRONG_WHERE(minus_zero_lost_in_patterns, minus_zero_lost,
            type_of(plan) == CERTILE_F16 && within(row(plan), 2, 4) && copies(plan) >= 16)
WRONG_WHERE(doubles_cut_in_blocks, cut_to_floats, largest_block(plan, 2) > 4 * KIB)
WRONG_WHERE(upper_words_lost_in_rows_of_2000, upper_words_lost,
            type_of(plan) == CERTILE_U64 && row(plan) >= 2000)
