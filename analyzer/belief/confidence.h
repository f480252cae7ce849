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

/* What a match of a clause rests on. */
enum {
    DOUBT_VALUE = 1,    /* that it is a GPU tensor is itself only possible: see its reasons */
    DOUBT_PROPERTY = 2, /* a tensor whose device, type or shape is not known */
    DOUBT_OTHERS = 4,   /* it may be something else, that would not wait */
    DOUBT_SIDES = 8,    /* what would be copied is as surely on the GPU already */
    DOUBT_PAGE = 16,    /* the page of the rule says so */
    DOUBTS_OF_EFFECT = 5
};

typedef uint64_t Evidence;

enum {
#define EVIDENCE(name, group, most, word, says) SEEN_##name,
#include "confidence.def"
    EVIDENCES
};

static_assert(EVIDENCES <= 64 && SEEN_PRINTED < 32, "an EffectRecord has room for its own, the first");

static inline Evidence evidence(unsigned seen) { return (Evidence)1 << seen; }
static inline Evidence evidence_if(bool there, unsigned seen) { return (Evidence)there << seen; }

bool evidence_veils(Evidence seen);       /* some of it is LESS: nothing is KNOWN */
bool evidence_doubts(unsigned seen);      /* it speaks against a wait, or holds the level down */
const char *evidence_name(unsigned seen); /* as `--dump` has it */
const char *evidence_word(unsigned seen); /* as JSON has it among the doubts */
const char *evidence_says(unsigned seen);
Confidence evidence_level(Evidence seen); /* CONFIDENCE_NONE: not told */
double evidence_score(Evidence seen);     /* the fitted weights of its groups, each once, and the constant */

#endif
