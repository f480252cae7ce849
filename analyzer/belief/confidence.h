#ifndef SYNCL_CONFIDENCE_H
#define SYNCL_CONFIDENCE_H
/* Evidence for or against a wait: one bit for each row of confidence.def. Bits are collected in provenance
   (effect records, rates, sites) and united at joins; they are no part of a value. */
#include "text.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum Confidence {
    CONFIDENCE_NONE,
    CONFIDENCE_POSSIBLE,
    CONFIDENCE_LIKELY,
    CONFIDENCE_CERTAIN
} Confidence;

Text confidence_word(Confidence level); /* "certain" */

typedef uint64_t Evidence;

enum {
#define EVIDENCE(name, group, most, word, says) SEEN_##name,
#include "confidence.def"
    EVIDENCES
};

static_assert(EVIDENCES <= 64, "one bit a row");

static inline Evidence evidence(unsigned seen) { return (Evidence)1 << seen; }
/* The bits that concern the match of a clause, and the statements of its page. */
static inline Evidence evidence_of_match(Evidence seen) {
    return seen & (evidence(SEEN_VALUE) | evidence(SEEN_PROPERTY) | evidence(SEEN_OTHERS) |
                   evidence(SEEN_SIDES) | evidence(SEEN_PAGE) | evidence(SEEN_MOSTLY));
}
static inline Evidence evidence_if(bool there, unsigned seen) { return (Evidence)there << seen; }

bool evidence_veils(Evidence seen);       /* some bit limits the level, so the finding cannot be certain */
bool evidence_is_seldom(Evidence seen);   /* the code seldom runs, if ever */
bool evidence_doubts(unsigned seen);      /* the row speaks against a wait, or limits the level */
const char *evidence_name(unsigned seen); /* as `--dump` prints it */
const char *evidence_word(unsigned seen); /* its word among the `doubts` of JSON */
const char *evidence_says(unsigned seen);
Confidence evidence_level(Evidence seen); /* CONFIDENCE_NONE: not reported */
double evidence_score(Evidence seen);     /* the constant plus the weight of each group that has a bit */

#endif
