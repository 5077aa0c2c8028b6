/* A right Tile behind the C header, cut into steps, so that a wrong one replaces one step. */
#ifndef CERTILE_MUTANTS_RIGHT_TILE_H
#define CERTILE_MUTANTS_RIGHT_TILE_H
#include "certile_plugin.h"

enum { MOST_AXES = 64 };

/* A reading of a definition: a row of backends/shape/definitions.inc, which explains the words. */
typedef enum Form { ALIGNED, PROMOTED, ALONG } Form;
typedef enum Negative { ZERO, REFUSED } Negative;
typedef struct Reading {
  uint32_t number, types, repeats;
  Form form;
  Negative negative;
} Reading;
const Reading* reading_of(const certile_call* call);
extern const char names_of_definitions[]; /* as a claim lists them */

/* A repeat, tiles or axis as it was read: a whole number between -2^64 and 2^64. */
typedef struct Number {
  int whole; /* 0: a fraction, a NaN or an infinity */
  int negative;
  uint64_t magnitude;
} Number;

/* The shapes of one call. */
typedef struct Plan {
  const certile_call* call;
  certile_text* why;
  int inferring;             /* `infer` asks, not `run` */
  int given;                 /* how many repeats the caller gave; along an axis one for each axis */
  Number repeats[MOST_AXES]; /* as given; promoted: one for each axis */
  int rank;                  /* of the output */
  int64_t dims[MOST_AXES];   /* of the data, promoted */
  int64_t times[MOST_AXES];  /* the repeats as numbers */
  int64_t shape[MOST_AXES];  /* of the output */
  int64_t in_count, count;   /* elements of the data, of the output */
} Plan;

/* A mutant: the steps of a call, in their order.  A step that is 0 is the right one, which has the step's
 * name with right_ before it.  Steps that return a status end the call unless it is CERTILE_OK. */
typedef struct Mutant {
  void (*open)(certile_plugin* plugin); /* may change the claim */
  Number (*read)(const certile_tensor* operand, int64_t index);
  int32_t (*admit)(Plan* plan);    /* types, ranks and lengths of the operands */
  int32_t (*gather)(Plan* plan);   /* reads the repeats into `repeats` and `given`, the data into `dims` */
  int32_t (*settle)(Plan* plan);   /* refuses repeats, and replaces negative ones */
  void (*promote)(Plan* plan);     /* sets `rank`; `dims` and `repeats` get their ones */
  int32_t (*multiply)(Plan* plan); /* `times`, `shape` and the counts; overflow */
  /* Finish `infer` and `run`; `status` is the result of the steps before. */
  int32_t (*infer)(Plan* plan, int32_t status);
  int32_t (*run)(Plan* plan, certile_tensor* out, int32_t status);
  /* The calls with elements in which `run` is that of the mutant, and not the right one; 0: all calls. */
  int (*when)(const Plan* plan, const certile_tensor* out);
  /* Returns the element of the data for `index` of the output; negative: that place is not written. */
  int64_t (*source)(const Plan* plan, const int64_t* index);
  void (*copy)(const Plan* plan, void* out, int64_t to, int64_t from); /* one element */
  void (*destroy)(void);
} Mutant;

extern const Mutant* chosen; /* the mutant of this process */

Number right_read(const certile_tensor* operand, int64_t index);
int32_t right_admit(Plan* plan);
int32_t right_gather(Plan* plan);
int32_t right_settle(Plan* plan);
void right_promote(Plan* plan);
int32_t right_multiply(Plan* plan);
int32_t right_run(Plan* plan, certile_tensor* out, int32_t status);
int64_t right_source(const Plan* plan, const int64_t* index);
void right_copy(const Plan* plan, void* out, int64_t to, int64_t from);

/* Writes the sentence for the caller, and returns the status. */
int32_t say(const Plan* plan, int32_t status, const char* why);

/* Performs all steps up to the shape. */
int32_t make_plan(Plan* plan, const certile_call* call, certile_text* why, int inferring);

int is_integer(uint32_t type);
int is_packed(uint32_t type);
int is_listed(const certile_call* call, uint32_t type); /* by the definition's text */
int is_empty(const Plan* plan);                         /* the output has no elements */
int is_all_ones(const Plan* plan);                      /* nothing is repeated */
int repeated_axes(const Plan* plan);                    /* how many axes have a repeat above 1 */
int64_t row_of(const Plan* plan);                       /* elements of the data's last axis; 1 for a scalar */
uint64_t element_bytes(const Plan* plan);               /* of types of whole bytes */
/* Returns the position of `index` in the output, in elements. */
int64_t position_of(const Plan* plan, const int64_t* index);

/* Returns element `index` of a packed type, in the published order of bits. */
uint64_t packed_at(const void* bytes, uint32_t type, unsigned width, int64_t index);
void set_packed(void* bytes, uint32_t type, unsigned width, int64_t index, uint64_t value);

#endif
