#ifndef SYNCL_DRAFT_H
#define SYNCL_DRAFT_H
/* A rulebook while it is being read: growing tables, names that may be declared later. `rulepage` fills it,
   `rulepage_term` reads the words of annotations and decorators into it, draft_finish makes the Rulebook.
   Everything lives in draft.arena. Mistakes are collected with their places; a draft with any gives no
   rulebook. */
#include "rulebook.h"

typedef struct DraftPlace {
    uint32_t page, line;
} DraftPlace; /* Rulebook.pages, 1-based line */

typedef struct DraftError {
    DraftPlace place;
    Text what;
} DraftError;

typedef struct DraftEntry {
    Entry entry; /* the id ranges are filled by draft_finish */
    VEC(EntryId) children, bases;
    VEC(ClauseId) clauses;
    DraftPlace place;    /* of the first declaration */
    Text alias_of;       /* dotted name, as written */
    bool stubbed;        /* an api stub declares its members: it may be a class because of its methods alone */
    uint8_t alias_state; /* 0 open, 1 being resolved, 2 done */
} DraftEntry;

typedef struct Draft {
    Arena *arena;
    Names texts;             /* TextId = Sym */
    VEC(DraftEntry) entries; /* items[0] unused, items[1] the root; likewise below */
    VEC(Clause) clauses;
    VEC(RuleParam) params;
    VEC(RuleEffect) effects;
    VEC(Term) terms;
    VEC(uint32_t) term_links;
    VEC(Hazard) hazards;
    VEC(TextId) pages;
    VEC(Remedy) remedies; /* as read; items[0] unused */
    VEC(ConventionRow) conventions; /* as read; items[0] is a row */
    VEC(DraftError) errors;
    bool alias_cycle; /* the last lookup met an alias while it was being resolved */
} Draft;

enum { DRAFT_ROOT = 1 };

/* An empty draft, or one that starts with all of `base` (which must outlive it). */
void draft_begin(Draft *draft, Arena *arena, const Rulebook *base);
TextId draft_text(Draft *draft, Text text);
Text draft_name(const Draft *draft, TextId text);
void draft_fail(Draft *draft, DraftPlace place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The child of that name, created if absent (with kind ENTRY_NO: it becomes a module unless a page says
   otherwise). */
EntryId draft_child(Draft *draft, EntryId parent, Text name, DraftPlace place);
EntryId draft_path(Draft *draft, Text dotted, DraftPlace place);        /* from the root, created if absent */
EntryId draft_fallback(Draft *draft, EntryId parent, DraftPlace place); /* its `__default__` */

/* A dotted name: from the root, else from the scope outwards; aliases followed. 0 = unknown. */
EntryId draft_find(Draft *draft, EntryId scope, Text dotted);
void draft_resolve_aliases(Draft *draft);

TermId draft_term(Draft *draft, Term term, const TermId *arguments, uint32_t count);

/* Decides entry kinds, sorts children, gathers clauses by entry. NULL when there were mistakes: *error then
   lists them as 'page:line: what', one a line, in order of place. */
const Rulebook *draft_finish(Draft *draft, Text *error);

#endif
