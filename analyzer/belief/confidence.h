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

typedef uint64_t Evidence;

enum {
#define EVIDENCE(name, group, most, word, says) SEEN_##name,
#include "confidence.def"
    EVIDENCES
};

static_assert(EVIDENCES <= 64, "one bit a row");

static inline Evidence evidence(unsigned seen) { return (Evidence)1 << seen; }
/* Of it: what a match of a clause hangs on, and what the page of the clause says. */
static inline Evidence evidence_of_match(Evidence seen) {
    return seen & (evidence(SEEN_VALUE) | evidence(SEEN_PROPERTY) | evidence(SEEN_OTHERS) |
                   evidence(SEEN_SIDES) | evidence(SEEN_PAGE) | evidence(SEEN_MOSTLY));
}
static inline Evidence evidence_if(bool there, unsigned seen) { return (Evidence)there << seen; }

bool evidence_veils(Evidence seen);       /* some of it is LESS: nothing is KNOWN */
bool evidence_is_seldom(Evidence seen);   /* what is seldom come to, if ever */
bool evidence_doubts(unsigned seen);      /* it speaks against a wait, or holds the level down */
const char *evidence_name(unsigned seen); /* as `--dump` has it */
const char *evidence_word(unsigned seen); /* as JSON has it among the doubts */
const char *evidence_says(unsigned seen);
Confidence evidence_level(Evidence seen); /* CONFIDENCE_NONE: not told */
double evidence_score(Evidence seen);     /* the fitted weights of its groups, each once, and the constant */

#endif
