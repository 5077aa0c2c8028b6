/* certile_plugin.h: the C ABI of an in-process backend.  C99, no dependencies; copy it freely. */
/* Laid out by hand, as C writes pointers and as the tables read best. */
/* clang-format off */
#ifndef CERTILE_PLUGIN_H
#define CERTILE_PLUGIN_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define CERTILE_ABI_MAJOR 1u /* changes when an old plugin can no longer be called */
#define CERTILE_ABI_MINOR 0u /* changes when fields are appended */

enum { /* status; any other value is read as CERTILE_FAILED */
  CERTILE_OK = 0,
  CERTILE_REJECTED = 1,    /* the operator refuses this input */
  CERTILE_UNSUPPORTED = 2, /* this implementation does not do it */
  CERTILE_NO_MEMORY = 3,
  CERTILE_FAILED = 4
};

enum { /* definitions of Tile; numbers are never reused */
  CERTILE_OPENVINO_TILE_1 = 1, CERTILE_ONNX_TILE_1 = 2, CERTILE_ONNX_TILE_6 = 3, CERTILE_ONNX_TILE_13 = 4,
  CERTILE_ARRAY_API_TILE = 5 /* of the Python array API; the tuple of repetitions is a vector of CERTILE_I64 */
};

enum { /* element types; numbers are never reused */
  CERTILE_BOOLEAN = 1,
  CERTILE_I4 = 2, CERTILE_I8 = 3, CERTILE_I16 = 4, CERTILE_I32 = 5, CERTILE_I64 = 6,
  CERTILE_U1 = 7, CERTILE_U2 = 8, CERTILE_U3 = 9, CERTILE_U4 = 10, CERTILE_U6 = 11,
  CERTILE_U8 = 12, CERTILE_U16 = 13, CERTILE_U32 = 14, CERTILE_U64 = 15,
  CERTILE_F16 = 16, CERTILE_BF16 = 17, CERTILE_F32 = 18, CERTILE_F64 = 19,
  CERTILE_NF4 = 20, CERTILE_F8E4M3 = 21, CERTILE_F8E5M2 = 22, CERTILE_F8E8M0 = 23, CERTILE_F4E2M1 = 24,
  CERTILE_C64 = 25, CERTILE_C128 = 26, CERTILE_STRING = 27
};

typedef struct certile_string { /* one element of a CERTILE_STRING tensor */
  const char *bytes;            /* not terminated; may hold NULs; anything, NULL too, if size is 0 */
  uint64_t size;
} certile_string;

typedef struct certile_tensor {
  uint32_t struct_size;  /* sizeof(certile_tensor), from the side that filled it */
  uint32_t element_type; /* CERTILE_F32, ...; numbers are never reused */
  uint32_t element_bits; /* so that a plugin need not know every type */
  int32_t rank;
  const int64_t *shape; /* rank values; may be NULL when rank is 0 */
  void *data;           /* dense, row-major; NULL when byte_size is 0; bits behind the last packed element may be any */
  uint64_t byte_size; /* whole bytes, of packed types too; 0 where the shape alone is asked */
  uint64_t alignment; /* the actual alignment of data, at least the element's size; never assume more */
} certile_tensor;

typedef struct certile_call { /* the inputs may lie in read-only memory */
  uint32_t struct_size;
  uint32_t op; /* CERTILE_OPENVINO_TILE_1, ... */
  const certile_tensor *data;
  const certile_tensor *repeats;
  const certile_tensor *axis; /* NULL except for CERTILE_ONNX_TILE_1 */
} certile_call;

typedef struct certile_text { /* the host's buffer for a message, always terminated; empty before the call */
  uint32_t struct_size;
  uint32_t capacity;
  char *utf8;
} certile_text;

/* The table.  No exception and no longjmp leaves any of its functions; `why` is never NULL, `self` may be. */
typedef struct certile_plugin {
  uint32_t struct_size; /* in: the host's; out: what the plugin filled, never more */
  uint32_t abi_major, abi_minor;
  const char *name, *version; /* these, and the lists, live until destroy */
  const char *operators, *types, *repeats_types;  /* space-separated names, as the literal spells them */
  int64_t max_rank, max_elements, max_bytes;      /* the claim's limits; 0: none */
  void *self;
  /* Writes the output's shape and rank, or refuses.  The call asks for the shape alone: data->data may be NULL, and the
     tensor too large to exist.  A rank above capacity, which is at least 64, is CERTILE_FAILED; certile has room for
     every rank that is right.  NULL: a kernel without shape rules. */
  int32_t (*infer)(void *self, const certile_call *, int64_t *shape, int32_t capacity, int32_t *rank,
                   certile_text *why);
  /* Fills all of out, whose shape is the one that infer returned, and nothing else; the fields of out do not change.  Empty
     outputs are requested too.  A call that infer refuses is refused by run as well, whatever shape out has, and nothing
     is written.  Several calls may be under way at once on one self.  Views of strings may point into the input's
     characters, or into copies that last until the next run on the same thread, whatever infer is asked until then. */
  int32_t (*run)(void *self, const certile_call *, certile_tensor *out, certile_text *why);
  void (*destroy)(void *self); /* the last call; not NULL */
  /* append here, and raise CERTILE_ABI_MINOR */
} certile_plugin;

/* Fills *plugin and returns CERTILE_OK, or returns another status.  The one exported symbol. */
int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin *plugin);

#ifdef __cplusplus
}
#endif
#endif
