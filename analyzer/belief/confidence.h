#ifndef SYNCL_CONFIDENCE_H
#define SYNCL_CONFIDENCE_H
/* Evidence: what was seen that speaks for a wait or against it, one bit a row of confidence.def. Bits are collected in
   provenance (effect records, rates, sites) and united where ways join; they are no part of a value. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum Confidence {
    CONFIDENCE_NONE,
    CONFIDENCE_POSSIBLE,
    CONFIDENCE_LIKELY,
    CONFIDENCE_CERTAIN
} Confidence;
/* What makes a finding only possible. */
enum {
    DOUBT_VALUE = 1,    /* that it is a GPU tensor is itself only possible: see its reasons */
    DOUBT_PROPERTY = 2, /* a tensor whose device, type or shape is not known */
    DOUBT_OTHERS = 4,   /* it may be something else, that would not wait */
    DOUBT_SIDES = 8,    /* what would be copied is as surely on the GPU already */
    DOUBT_PAGE = 16,    /* the page of the rule says so */
    DOUBT_CALLER = 32,  /* nobody in sight calls the function */
    DOUBT_BRANCH = 64,  /* in a branch that is seldom or never taken */
    DOUBT_TEST = 128,   /* only a test calls it */
    DOUBT_WISHED = 256, /* another file shows that it is so wished */
    DOUBT_DATA = 512,   /* code for data, which is on the CPU until a batch is moved */
    DOUBTS = 10,
    DOUBTS_OF_EFFECT = 5 /* the first: what an operation alone says */
};

typedef uint64_t Evidence;

enum {
#define EVIDENCE(name, group, most, doubt, says) SEEN_##name,
#include "confidence.def"
    EVIDENCES
};

static_assert(EVIDENCES <= 64 && SEEN_PRINTED < 16, "an EffectRecord has room for its own, the first");

static inline Evidence evidence(unsigned seen) { return (Evidence)1 << seen; }
static inline Evidence evidence_if(bool there, unsigned seen) { return (Evidence)there << seen; }

Confidence evidence_most(unsigned seen);  /* what a finding with that bit is at most */
uint16_t evidence_doubt(unsigned seen);   /* DOUBT_... that it is told as, or 0 */
const char *evidence_word(unsigned seen); /* its name as `--dump` has it */
double evidence_score(Evidence seen);     /* the fitted weights of its groups, each once, and the constant */

#endif
