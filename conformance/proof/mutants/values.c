/* Bits changed where few look: in the kernels for blocks, for many axes, for many copies. */
#include "where.h"

WRONG_WHERE(minus_zero_lost_with_nine_axes, minus_zero_lost, plan->rank >= 9)
WRONG_WHERE(nans_quieted_in_blocks, nans_quieted,
            plan->rank >= 2 && last_times(plan) == 1 && most_copies(plan) >= 4)
WRONG_WHERE(halves_flushed_if_promoted, subnormals_flushed,
            bits_of(plan) == 16 && plan->call->data->rank < plan->rank)
WRONG_WHERE(upper_words_lost_in_long_rows, upper_words_lost,
            type_of(plan) == CERTILE_I64 && row_of(plan) > 64 && last_times(plan) == 1)
