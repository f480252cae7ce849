#include "options.h"

enum { LONGEST = 63 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Levenshtein distance: insertions, deletions and replacements. */
static uint32_t edits(const char *from, const char *to) {
    uint32_t row[LONGEST + 1];
    size_t columns = strlen(to);
    for (size_t j = 0; j <= columns; j++) row[j] = (uint32_t)j;
    for (size_t i = 1; from[i - 1]; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= columns; j++) {
            uint32_t above = row[j];
            uint32_t replaced = diagonal + (from[i - 1] != to[j - 1]);
            row[j] = least(replaced, least(above, row[j - 1]) + 1);
            diagonal = above;
        }
    }
    return row[columns];
}

void nearest_try(Nearest *nearest, const char *wrong, const char *candidate) {
    if (strlen(wrong) > LONGEST || strlen(candidate) > LONGEST) return;
    uint32_t distance = edits(wrong, candidate);
    bool begins = strlen(wrong) >= 3 && strncmp(wrong, candidate, strlen(wrong)) == 0;
    if (begins) distance = 1; /* an abbreviation is the likeliest mistake */
    if (!nearest->word || distance < nearest->distance) *nearest = (Nearest){candidate, distance};
}

const char *nearest_word(const Nearest *nearest) {
    if (!nearest->word) return NULL;
    return nearest->distance <= least(3, (uint32_t)(strlen(nearest->word) + 2) / 3) ? nearest->word : NULL;
}
