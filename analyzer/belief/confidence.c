#include "confidence.h"

typedef enum Group {
    GROUP_NOTHING,
#define FOR(name, weight, right, wrong, says) GROUP_##name,
#define AGAINST(name, weight, right, wrong, says) GROUP_##name,
#include "confidence.def"
    GROUPS
} Group;

enum { POSSIBLE = CONFIDENCE_POSSIBLE, LIKELY, LESS, CLEAR };

typedef struct Row {
    uint8_t group, most;
    const char *name, *word, *says;
} Row;

static const Row ROWS[EVIDENCES] = {
#define EVIDENCE(name, group, most, word, says) {GROUP_##group, most, #name, word, says},
#include "confidence.def"
};

/* Weights in hundredths as integers, as the table writes them: sums are exact on every machine. */
#define HUNDREDTHS(number) (int)((number)*100 + ((number) < 0 ? -0.5 : 0.5))
static const int WEIGHTS[GROUPS] = {
#define CONSTANT(weight) [GROUP_NOTHING] = HUNDREDTHS(weight),
#define FOR(name, weight, right, wrong, says) [GROUP_##name] = HUNDREDTHS(weight),
#define AGAINST(name, weight, right, wrong, says) [GROUP_##name] = HUNDREDTHS(weight),
#include "confidence.def"
};

Text confidence_word(Confidence level) {
    static const char *const words[] = {"none", "possible", "likely", "certain"};
    return text_of(words[level]);
}

static unsigned lowest(Evidence seen) { return (unsigned)__builtin_ctzll(seen); }

static unsigned most_of(Evidence seen) {
    unsigned most = CLEAR;
    for (; seen; seen &= seen - 1)
        if (ROWS[lowest(seen)].most < most) most = ROWS[lowest(seen)].most;
    return most;
}

bool evidence_veils(Evidence seen) { return most_of(seen) < CLEAR; }

bool evidence_is_seldom(Evidence seen) {
    for (unsigned bit = 0; bit < EVIDENCES; bit++)
        if ((seen >> bit & 1) && (ROWS[bit].group == GROUP_SELDOM || ROWS[bit].group == GROUP_DEAD))
            return true;
    return false;
}

bool evidence_doubts(unsigned seen) {
    return (WEIGHTS[ROWS[seen].group] < 0 && ROWS[seen].group) || ROWS[seen].most < LESS;
}

const char *evidence_name(unsigned seen) { return ROWS[seen].name; }
const char *evidence_word(unsigned seen) { return ROWS[seen].word; }
const char *evidence_says(unsigned seen) { return ROWS[seen].says; }

static int hundredths(Evidence seen) {
    bool groups[GROUPS] = {false};
    int score = WEIGHTS[GROUP_NOTHING];
    for (; seen; seen &= seen - 1) {
        Group group = (Group)ROWS[lowest(seen)].group;
        if (group != GROUP_NOTHING && !groups[group]) score += WEIGHTS[group];
        groups[group] = true;
    }
    return score;
}

double evidence_score(Evidence seen) { return hundredths(seen) / 100.0; }

Confidence evidence_level(Evidence seen) {
    int score = hundredths(seen);
    unsigned most = most_of(seen);
#define LEVEL(name, least) \
    if (score >= HUNDREDTHS(least) && most >= CONFIDENCE_##name) return CONFIDENCE_##name;
#include "confidence.def"
    return CONFIDENCE_NONE;
}
