#include "confidence.h"

typedef enum Group {
    GROUP_NOTHING,
#define FOR(name, weight, right, wrong, says) GROUP_##name,
#define AGAINST(name, weight, right, wrong, says) GROUP_##name,
#include "confidence.def"
    GROUPS
} Group;

typedef struct Row {
    uint8_t group, most;
    uint16_t doubt;
    const char *word;
} Row;

static const Row ROWS[EVIDENCES] = {
#define EVIDENCE(name, group, most, doubt, says) {GROUP_##group, CONFIDENCE_##most, doubt, #name},
#include "confidence.def"
};

static const double WEIGHTS[GROUPS] = {
#define CONSTANT(weight) [GROUP_NOTHING] = weight,
#define FOR(name, weight, right, wrong, says) [GROUP_##name] = weight,
#define AGAINST(name, weight, right, wrong, says) [GROUP_##name] = weight,
#include "confidence.def"
};

Confidence evidence_most(unsigned seen) { return (Confidence)ROWS[seen].most; }
uint16_t evidence_doubt(unsigned seen) { return ROWS[seen].doubt; }
const char *evidence_word(unsigned seen) { return ROWS[seen].word; }

double evidence_score(Evidence seen) {
    bool groups[GROUPS] = {false};
    double score = WEIGHTS[GROUP_NOTHING];
    for (unsigned bit = 0; bit < EVIDENCES; bit++) {
        Group group = seen >> bit & 1 ? (Group)ROWS[bit].group : GROUP_NOTHING;
        if (group != GROUP_NOTHING && !groups[group]) score += WEIGHTS[group];
        groups[group] = true;
    }
    return score;
}
