#include "conventions.h"

static bool fits(const Rulebook *book, const ConventionRow *row, Text name) {
    Text text = book->texts[row->text];
    switch ((RowShape)row->shape) {
    case ROW_WHOLE: return text_equal(name, text);
    case ROW_START: return text_starts(name, text);
    case ROW_END: return text_ends(name, text);
    case ROW_PATTERN: return text_like(name, text);
    }
    return false;
}

bool name_is(const Rulebook *book, Named named, Text name) {
    for (uint32_t i = book->convention_starts[named]; i < book->convention_starts[named + 1]; i++)
        if (fits(book, &book->conventions[i], name)) return true;
    return false;
}

EntryId entry_named(const Rulebook *book, Named named) {
    uint32_t first = book->convention_starts[named];
    if (first == book->convention_starts[named + 1]) return 0;
    return rulebook_find(book, book->texts[book->conventions[first].text]);
}

static const char *const WORDS[NAMED_LIMIT] = {
    "",
#define CONVENTION(word, meaning) #word,
#include "conventions.def"
};

const char *named_word(Named named) { return WORDS[named]; }

Named named_find(Text word) {
    for (unsigned i = 1; i < NAMED_LIMIT; i++)
        if (text_is(word, WORDS[i])) return (Named)i;
    return NAMED_NOTHING;
}
