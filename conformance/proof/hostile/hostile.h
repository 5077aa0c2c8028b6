/* The common parts of the hostile plugins: the example, which is right, with a change in one case. */
#ifndef CERTILE_HOSTILE_H
#define CERTILE_HOSTILE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>

#include "certile_plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

/* One call of `infer` or `run`, as received. */
typedef struct Asked {
  const certile_call* call;
  int64_t* shape; /* of infer */
  int32_t capacity;
  int32_t* rank;
  certile_tensor* out; /* of run */
  certile_text* why;
} Asked;

/* The behaviour of a hostile plugin; a step that is 0 is the right one.  A step that returns a status ends
 * the call with it; GO_ON leaves the answer to the example. */
enum { GO_ON = -1 };
typedef struct Hostile {
  void (*load)(void);               /* in the library's constructor */
  int32_t (*open)(certile_plugin*); /* after the table was filled rightly */
  int32_t (*infer)(const Asked*);   /* in infer, of the one case */
  int32_t (*run)(const Asked*);     /* in run, of the one case */
  void (*after)(const Asked*);      /* at the end of run, of the one case, after the answer */
  void (*later)(const Asked*);      /* at the end of every run of another case */
  void (*destroy)(void);
  void (*unload)(void); /* in the library's destructor */
} Hostile;

extern const Hostile* chosen; /* the behaviour of this process; null: the right one */

int32_t right_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin);

/* Sleeps for ever. */
void sleep_for_ever(void);

#ifdef __cplusplus
}
#endif
#endif
