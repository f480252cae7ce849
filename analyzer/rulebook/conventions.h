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

bool name_is(const Rulebook *book, Named named, Text name); /* some row of the convention fits */
EntryId entry_named(const Rulebook *book, Named named); /* what its first row names, of `tensor_class` and the like */
const char *named_word(Named named);
Named named_find(Text word); /* NAMED_NOTHING when there is none */

#endif
