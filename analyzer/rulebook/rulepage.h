#ifndef SYNCL_RULEPAGE_H
#define SYNCL_RULEPAGE_H
/* Reads rule pages (.md) and stub files (.pyi), written as rules/FORMAT.md says, into a Rulebook. `rulec` does
   so at build time, --extend-rules at run time, with the same checks. Takes the sources' bytes, which must
   outlive a rulebook that is extended by them; gives tables owned by the arena. */
#include "page.h"
#include "rulebook.h"

typedef struct PageSource {
    Text path, bytes;
} PageSource;

/* Adds the pages in name order, stubs last, to `base` (NULL = nothing yet). Names may refer to any page. NULL
   when a page is wrong: *error then says 'page:line: what', one mistake a line. */
const Rulebook *rulepage_read(Arena *result, const Rulebook *base, const PageSource *sources, size_t count,
                              Text *error);

/* The Python blocks of a hazard page that are tests: bodies that run after rules/prelude.py in a training loop. */
typedef struct PageExample {
    Text page; /* path of the page */
    Text rule; /* host-read */
    Text text;
    uint32_t line;   /* of the text's first line */
    uint8_t section; /* SECTION_REPORTED, SECTION_QUIET or SECTION_INSTEAD */
} PageExample;

typedef struct PageExamples {
    VEC(PageExample) items;
} PageExamples;

PageExamples rulepage_examples(Arena *arena, const PageSource *sources, size_t count);

#endif
