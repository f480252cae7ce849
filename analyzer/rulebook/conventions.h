#ifndef SYNCL_CONVENTIONS_H
#define SYNCL_CONVENTIONS_H
/* What a name suggests: the rows of rules/conventions.pyi, e.g. `loader: "*_loader"`. A convention is a word of
   conventions.def that says what is named so; its rows are patterns of text_like. Inference asks by the word. */
#include "rulebook.h"

typedef enum Named {
    NAMED_NOTHING,
#define CONVENTION(word, meaning) NAMED_##word,
#include "conventions.def"
    NAMED_LIMIT
} Named;

static inline bool names_hold(uint64_t set, uint32_t bit) { return set >> (bit & 63) & 1; }

/* A quick filter: false for nearly every name that fits no row. */
static inline bool names_may_hold(const ConventionRows *rows, Text name) {
    if (!name.length) return false;
    unsigned char head = (unsigned char)name.bytes[0], tail = (unsigned char)name.bytes[name.length - 1];
    return (names_hold(rows->lengths, name.length) && names_hold(rows->heads, head)) || names_hold(rows->starts, head) ||
           names_hold(rows->ends, tail) || rows->patterns;
}

bool name_fits_row(const Rulebook *book, const ConventionRows *rows, Text name);

/* Whether some row of the convention fits the name. */
static inline bool name_is(const Rulebook *book, Named named, Text name) {
    const ConventionRows *rows = &book->convention_rows[named];
    return names_may_hold(rows, name) && name_fits_row(book, rows, name);
}

uint32_t name_rows(const Rulebook *book, Named named);
/* a row's pattern without a star at its end; empty past the last row */
Text name_row(const Rulebook *book, Named named, uint32_t row);
EntryId entry_named(const Rulebook *book, Named named); /* the entry that its first row names, as for `tensor_class` */
const char *named_word(Named named);
Named named_find(Text word); /* NAMED_NOTHING when there is none */

#endif
