#ifndef SYNCL_CONVENTIONS_H
#define SYNCL_CONVENTIONS_H
/* What a name suggests: the rows of rules/conventions.pyi, `loader: "*_loader"`. A convention is a word of conventions.def,
   which says what is named so; its rows are patterns as text_like knows them. The inference asks by the word. */
#include "rulebook.h"

typedef enum Named {
    NAMED_NOTHING,
#define CONVENTION(word, meaning) NAMED_##word,
#include "conventions.def"
    NAMED_LIMIT
} Named;

static inline bool names_hold(uint64_t set, uint32_t bit) { return set >> (bit & 63) & 1; }

/* Nearly all names are told by it to fit no row. */
static inline bool names_may_hold(const ConventionRows *rows, Text name) {
    if (!name.length) return false;
    unsigned char head = (unsigned char)name.bytes[0], tail = (unsigned char)name.bytes[name.length - 1];
    return (names_hold(rows->lengths, name.length) && names_hold(rows->heads, head)) || names_hold(rows->starts, head) ||
           names_hold(rows->ends, tail) || rows->patterns;
}

bool name_fits_row(const Rulebook *book, const ConventionRows *rows, Text name);

/* Some row of the convention fits. */
static inline bool name_is(const Rulebook *book, Named named, Text name) {
    const ConventionRows *rows = &book->convention_rows[named];
    return names_may_hold(rows, name) && name_fits_row(book, rows, name);
}

uint32_t name_rows(const Rulebook *book, Named named);
Text name_row(const Rulebook *book, Named named, uint32_t row); /* its pattern without a star at an end; empty past the last */
EntryId entry_named(const Rulebook *book, Named named); /* what its first row names, of `tensor_class` and the like */
const char *named_word(Named named);
Named named_find(Text word); /* NAMED_NOTHING when there is none */

#endif
