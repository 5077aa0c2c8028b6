/* Wrong beyond a size: of the output, of the data, or of a block. */
#include "where.h"

/* ---- the output ---- */

WRONG_WHERE(last_wrong_above_2_mib, last_from_first, out->byte_size > 2 * MIB)
WRONG_WHERE(doubles_wrong_above_5_mib, last_from_first,
            bits_of(plan) == 64 && last_times(plan) > 1 && out->byte_size > 5 * MIB)
WRONG_WHERE(minus_zero_lost_above_96_kib, minus_zero_lost, is_float(plan, 32) && out->byte_size > 96 * KIB)
WRONG_WHERE(halves_quieted_above_300_kib, nans_quieted,
            type_of(plan) == CERTILE_F16 && out->byte_size > 300 * KIB)
WRONG_WHERE(doubles_cut_above_200_kib, cut_to_floats, out->byte_size > 200 * KIB)
WRONG_WHERE(long_integers_cut_above_128_kib, upper_words_lost, out->byte_size > 128 * KIB)

/* ---- the data ---- */

WRONG_WHERE(data_above_64_kib_wrong, last_from_first,
            bytes_in(plan) > 64 * KIB && out->byte_size > bytes_in(plan))
WRONG_WHERE(data_above_512_kib_left, last_vector_left, bytes_in(plan) > 512 * KIB && copies_of(plan) >= 3)
WRONG_WHERE(minus_zero_lost_above_40_kib_of_data, minus_zero_lost,
            is_float(plan, 64) && bytes_in(plan) > 40 * KIB && copies_of(plan) > 1)
WRONG_WHERE(wide_data_above_1_mib_wrong, last_from_first,
            bits_of(plan) == 128 && type_of(plan) != CERTILE_STRING && bytes_in(plan) > MIB)

/* ---- blocks ---- */

WRONG_WHERE(blocks_of_64_kib_left, last_vector_left,
            largest_block(plan, 4) >= 64 * KIB && largest_block(plan, 4) <= MIB)
WRONG_WHERE(blocks_of_short_rows_wrong, middle_from_next,
            largest_block(plan, 2) > 16 * KIB && row_bytes(plan) < 64)

WRONG_WHERE(last_wrong_above_48_mib, last_from_first, out->byte_size > 48 * MIB)
WRONG_WHERE(fills_by_two_bytes_left, last_left,
            plan->in_count == 1 && bits_of(plan) == 16 && out->byte_size >= 8 * MIB)
WRONG_WHERE(tail_left_above_40_mib, last_vector_left, out->byte_size > 40 * MIB && copies_of(plan) >= 2)
WRONG_WHERE(floats_wrong_above_60_mib, middle_from_next, bits_of(plan) == 32 && out->byte_size > 60 * MIB)
WRONG_WHERE(blocks_of_20_kib_in_8_rows_wrong, last_vector_left,
            largest_block(plan, 2) > 20 * KIB && largest_block(plan, 2) < 64 * KIB &&
                outer_count(plan) >= 8 && bits_of(plan) == 16)
WRONG_WHERE(doubles_of_12_copies_wrong, last_left,
            bits_of(plan) == 64 && copies_of(plan) >= 12 && row_bytes(plan) > 4 * KIB)
WRONG_WHERE(off_a_line_above_128_kib_wrong, last_from_first,
            address_of(out->data, 64) != 0 && out->byte_size > 128 * KIB && bits_of(plan) == 8 &&
                last_times(plan) == 1)
WRONG_WHERE(three_blocks_above_300_kib_wrong, middle_from_next,
            fused_axes(plan).count >= 3 && out->byte_size > 300 * KIB && bits_of(plan) == 64)
WRONG_WHERE(minus_zero_lost_in_long_middles, minus_zero_lost,
            fused_axes(plan).count >= 2 && largest_block(plan, 2) > 16 * KIB)
WRONG_WHERE(product_in_16_bits_after_promotion, last_left,
            copies_of(plan) > 65535 && plan->rank > plan->call->data->rank)
WRONG_WHERE(periods_of_three_rounded, last_from_first,
            bits_of(plan) == 8 && row_of(plan) == 3 && last_times(plan) > 2097152)
