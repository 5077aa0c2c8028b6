/* Words for the calls that a mutant gets wrong, and for what it does with them. */
#ifndef CERTILE_MUTANTS_WHERE_H
#define CERTILE_MUTANTS_WHERE_H
#include "right_tile.h"

/* Defines the mutant `name`: it is right, but does `how` instead of `run` in the calls for which `condition`
 * holds. */
#define WRONG_WHERE(name, how, condition)                                \
  static int name##_holds(const Plan* plan, const certile_tensor* out) { \
    (void)plan;                                                          \
    (void)out;                                                           \
    return (condition);                                                  \
  }                                                                      \
  const Mutant name = {.when = name##_holds, .run = (how)};

#define KIB UINT64_C(1024)
#define MIB (UINT64_C(1024) * KIB)

/* The axes after all that can be merged are merged: no axis of one element and one copy is left. */
typedef struct Fused {
  int count;
  int64_t dims[MOST_AXES], times[MOST_AXES];
} Fused;
Fused fused_axes(const Plan* plan);

uint64_t bytes_in(const Plan* plan); /* of the data */
unsigned bits_of(const Plan* plan);  /* of an element */
uint32_t type_of(const Plan* plan);
int is_float(const Plan* plan, unsigned bits); /* of that width */
uint64_t row_bytes(const Plan* plan);          /* of the data's last axis */
int64_t copies_of(const Plan* plan);           /* the product of all repeats */
int64_t most_copies(const Plan* plan);         /* the largest repeat */
int64_t last_times(const Plan* plan);          /* the repeat of the last axis */
int64_t largest_dimension(const Plan* plan);   /* of the output */
int64_t outer_count(const Plan* plan);         /* elements of the output without its last axis */
uint64_t largest_block(const Plan* plan,
                       int64_t times); /* bytes that are copied at least `times` times at once */
uint64_t address_of(const void* at, uint64_t modulus); /* the address modulo that */

/* Returns the element of the data for a position of the output, if nothing is wrong with the shapes. */
int64_t source_of_position(const Plan* plan, int64_t position);

/* Replacements for `run`, which run and then spoil the output. */

/* Makes the last element the first one. */
int32_t last_from_first(Plan* plan, certile_tensor* out, int32_t status);
/* Leaves the last element, up to 16 bytes, or the last copy of a row as they were. */
int32_t last_left(Plan* plan, certile_tensor* out, int32_t status);
int32_t last_vector_left(Plan* plan, certile_tensor* out, int32_t status);
int32_t last_row_left(Plan* plan, certile_tensor* out, int32_t status);
/* Makes the element in the middle its neighbour. */
int32_t middle_from_next(Plan* plan, certile_tensor* out, int32_t status);
/* Changes real types: -0 becomes +0, and signalling NaNs become quiet. */
int32_t minus_zero_lost(Plan* plan, certile_tensor* out, int32_t status);
int32_t nans_quieted(Plan* plan, certile_tensor* out, int32_t status);
/* Narrows f64 to f32, and 64-bit integers to their lower half. */
int32_t cut_to_floats(Plan* plan, certile_tensor* out, int32_t status);
int32_t upper_words_lost(Plan* plan, certile_tensor* out, int32_t status);
/* Flushes subnormal f16, bf16 and f32 to zero. */
int32_t subnormals_flushed(Plan* plan, certile_tensor* out, int32_t status);
/* Ends the process. */
int32_t has_crashed(Plan* plan, certile_tensor* out, int32_t status);

#endif
