/* Wrong for some places of data and output against each other. */
#include "where.h"

static const void* data_of(const Plan* plan) {
  return plan->call->data->data;
}
/* Whether data and output lie so far behind a multiple of `modulus`. */
static int lies(const Plan* plan, const certile_tensor* out, uint64_t modulus, uint64_t data,
                uint64_t output) {
  return address_of(data_of(plan), modulus) == data && address_of(out->data, modulus) == output;
}

WRONG_WHERE(data_at_1_output_at_0_wrong, last_from_first, lies(plan, out, 16, 1, 0) && row_bytes(plan) >= 16)
WRONG_WHERE(output_off_8_wrong, last_from_first, bits_of(plan) == 32 && lies(plan, out, 8, 0, 4))
WRONG_WHERE(half_a_line_apart_wrong, middle_from_next,
            row_bytes(plan) >= 64 &&
                (address_of(out->data, 64) + 64 - address_of(data_of(plan), 64)) % 64 == 32)
WRONG_WHERE(halves_off_a_word_wrong, last_left,
            bits_of(plan) == 16 && lies(plan, out, 4, 2, 0) && row_of(plan) > 8)
WRONG_WHERE(bytes_at_3_and_5_wrong, last_from_first, bits_of(plan) == 8 && lies(plan, out, 8, 3, 5))
WRONG_WHERE(doubles_8_behind_wrong, last_left, bits_of(plan) == 64 && lies(plan, out, 16, 0, 8))
WRONG_WHERE(data_above_output_wrong, last_from_first,
            (uintptr_t)data_of(plan) > (uintptr_t)out->data && row_bytes(plan) >= 64 && last_times(plan) > 2)
WRONG_WHERE(repeats_off_16_wrong, last_from_first,
            plan->given >= 2 && address_of(plan->call->repeats->data, 16) == 8)
WRONG_WHERE(second_of_two_lines_wrong, last_from_first, lies(plan, out, 128, 64, 64))
WRONG_WHERE(pattern_not_turned, last_from_first,
            out->byte_size >= (256 << 10) && plan->call->data->byte_size == 32 &&
                address_of(out->data, 32) != 0)
WRONG_WHERE(output_at_48_data_at_4_wrong, last_left, lies(plan, out, 64, 4, 48))
