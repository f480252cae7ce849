#ifndef SYNCL_DRAFT_H
#define SYNCL_DRAFT_H
/* A rulebook while it is being read: tables that grow, names that may still point forward. `rulepage` fills it,
   `term` reads the words of an annotation or decorator into it, and draft_finish makes the Rulebook.
   Everything lives in draft.arena. Mistakes are collected with their place; a draft with any makes no rulebook. */
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
    Text alias_of;       /* dotted, as written */
    bool stubbed;        /* an api stub says what stands in it: it may be a class by its methods alone */
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
    bool alias_cycle; /* the last lookup met an alias that was being resolved */
} Draft;

enum { DRAFT_ROOT = 1 };

/* An empty draft, or one that starts with all of `base` (which must outlive it). */
void draft_begin(Draft *draft, Arena *arena, const Rulebook *base);
TextId draft_text(Draft *draft, Text text);
Text draft_name(const Draft *draft, TextId text);
void draft_fail(Draft *draft, DraftPlace place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The child of that name, made if absent (kind ENTRY_NO: a module unless a page says otherwise). */
EntryId draft_child(Draft *draft, EntryId parent, Text name, DraftPlace place);
EntryId draft_path(Draft *draft, Text dotted, DraftPlace place);        /* from the root, made where absent */
EntryId draft_fallback(Draft *draft, EntryId parent, DraftPlace place); /* its `__default__` */

/* A dotted name: from the root, else from the scope outwards; aliases followed. 0 = unknown. */
EntryId draft_find(Draft *draft, EntryId scope, Text dotted);
void draft_resolve_aliases(Draft *draft);

TermId draft_term(Draft *draft, Term term, const TermId *arguments, uint32_t count);

/* Settles kinds, sorts children, gathers clauses by entry. NULL when there were mistakes: *error then lists them,
   'page:line: what', one a line, in order of place. */
const Rulebook *draft_finish(Draft *draft, Text *error);

#endif
