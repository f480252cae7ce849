#ifndef SYNCL_RULEBOOK_H
#define SYNCL_RULEBOOK_H
/* The rulebook: what the rule pages and stubs say, as flat const tables. `rulepage` makes one from pages;
   `rulec` writes the built-in one as C at build time, so that start-up costs nothing. Nothing here knows
   abstract values: whether a clause applies to given arguments is decided in apply/. All ids start at 1; 0 =
   none. */
#include "text.h"

typedef uint32_t EntryId, ClauseId, TermId, HazardId, TextId;

typedef enum Word { /* the vocabulary of effects.def, one enum for all */
    WORD_NONE,
#define CONDITION(word, arguments, meaning) COND_##word,
#include "effects.def"
#define REMEDY(word, least, most, meaning) COND_##word,
#include "effects.def"
#define RETURN(word, least, most, meaning) RET_##word,
#include "effects.def"
#define EFFECT(word, least, most, meaning) EFF_##word,
#include "effects.def"
    /* operands and arguments that occur inside the words above */
    WORD_to_host, WORD_to_device, WORD_here, WORD_once, WORD_step, WORD_epoch, WORD_evaluation, WORD_forward, WORD_worker,
    WORD_count, WORD_length, WORD_is_, WORD_grad, WORD_version,
#define MAKES(word, arguments, meaning) MAKES_##word,
#include "effects.def"
#define FINDS(word, meaning) FINDS_##word,
#include "effects.def"
#define DOES(word, meaning) DOES_##word,
#include "effects.def"
#define TRACE(word, meaning) TRACE_##word,
#include "effects.def"
#define PURPOSE(word, need, meaning) PURPOSE_##word,
#include "effects.def"
    WORD_LIMIT
} Word;

/* Bit sets of one hazard's words: DOES_BIT(reads) | DOES_BIT(prints). */
#define DOES_BIT(word) (1u << (DOES_##word - DOES_reads))
#define TRACE_BIT(word) (1u << (TRACE_##word - TRACE_read))

typedef enum TermKind {
    TERM_NO,
    TERM_WORD,   /* word, arguments (may be none) */
    TERM_PARAM,  /* value = index of the clause's parameter, from 0 */
    TERM_INT,    /* value */
    TERM_TEXT,   /* value = TextId: a literal string, a float's digits */
    TERM_TRUE, TERM_FALSE, TERM_NULL, /* literals True, False, None */
    TERM_ENTRY,  /* value = EntryId of a stub class, by its dotted name: an instance of it */
    TERM_AND, TERM_OR, TERM_NOT, TERM_ADD, TERM_MULTIPLY, /* arguments */
    TERM_NAMED,  /* value = TextId of the keyword, one argument: backward=2 */
} TermKind;

typedef struct Term {
    uint8_t kind;
    uint16_t word;
    int32_t value;
    uint32_t first, count; /* term_links[first .. first + count): TermIds */
} Term;

typedef struct RuleParam {
    TextId name;
    TermId condition;  /* 0 = any argument */
    TermId fallback;   /* the default: a literal term, or 0 for none or another default (has_default tells which) */
    uint8_t star;      /* 0, 1 = *args, 2 = **kwargs */
    uint8_t has_default, keyword_only;
} RuleParam;

typedef struct RuleEffect {
    uint16_t word;          /* EFF_... */
    uint32_t first, count;  /* term_links */
} RuleEffect;

/* One `def` of a page: an overload. Clauses of an entry stand in page order, api stubs last. A clause applies
   when its parameters bind and their conditions hold. Every applying clause with effects counts, at most one a
   hazard. The value is that of the first applying clause with a return. */
typedef struct Clause {
    uint32_t first_param, param_count;   /* params */
    uint32_t first_effect, effect_count; /* effects */
    TermId returns;                      /* 0 = the clause says no value */
    TermId when;                         /* condition of the whole clause; 0 = none */
    HazardId hazard;                     /* the hazard of its page; 0 = an api stub */
    uint32_t page, line;                 /* where it is written: pages[page], 1-based line */
} Clause;

typedef enum EntryKind { ENTRY_NO, ENTRY_MODULE, ENTRY_CLASS, ENTRY_FUNCTION, ENTRY_VALUE, ENTRY_ALIAS } EntryKind;

typedef struct Entry {
    uint8_t kind;
    TextId name;                          /* last component */
    TextId qualified;                     /* torch.Tensor.item */
    EntryId parent;
    EntryId fallback;                     /* `def __default__`: the entry of unlisted members; 0 = they are unknown */
    uint32_t first_child, child_count;    /* entry_links: EntryIds sorted by name bytes */
    uint32_t first_base, base_count;      /* entry_links: base classes in order */
    uint32_t first_clause, clause_count;  /* clauses, contiguous */
    EntryId target;                       /* ENTRY_ALIAS: the entry that it resolves to, which is no alias */
    TermId value;                         /* ENTRY_VALUE: its type as a return term (self is parameter 0) */
} Entry;

typedef struct Hazard {
    TextId name, code;       /* host-read, SYN101 */
    TextId message;          /* first paragraph, on one line */
    TextId why, instead;     /* section texts, Markdown */
    TextId page;             /* the whole page */
    TextId kind;             /* wait, timing, async or comment */
    TextId mend;             /* lines of advice for the code at hand, the first that fits counts (report/mend.h);
                                may be empty */
    TextId operators;        /* 'aten::nonzero*, *unique*': operators around its waits in a recording; may be empty */
    TextId kernels;          /* '*cub::*': kernels queued right before its waits; may be empty */
    uint16_t finds;          /* FINDS_...: found in the order of events; 0 = found by its own facts */
    uint16_t does;           /* DOES_BIT of its word; 0 = none given */
    uint16_t trace;          /* TRACE_BITs; 0 = its waits may look like anything in a recording */
} Hazard;

/* A def under `## Remedies`: a pattern and its replacement, written as rules/FORMAT.md says. */
typedef struct Remedy {
    HazardId hazard;
    TextId name;   /* of the def */
    TextId title;  /* its docstring: what the edit does, in one line */
    TextId doubt;  /* why it is unsafe; 0 = it is safe */
    TextId source; /* the text of the def, which is parsed again for matching */
    uint32_t first_param, param_count; /* its metavariables, in `params` */
    TermId use;    /* condition on the whole remedy; 0 = none */
    bool sure;     /* it reads no better than what it replaces: by default only where even the least gain counts */
    bool unproven; /* its examples have not run on a GPU yet, so it counts as unsafe */
} Remedy;

typedef enum RowShape { ROW_WHOLE, ROW_START, ROW_END, ROW_PATTERN } RowShape;

/* A row of rules/conventions.pyi. */
typedef struct ConventionRow {
    TextId text;   /* without its star, except for ROW_PATTERN */
    uint16_t word; /* Named of conventions.h */
    uint8_t shape; /* RowShape */
} ConventionRow;

/* The rows of one word, with a filter of the names that can fit: bit b of a set stands for a length or byte b %
   64. */
typedef struct ConventionRows {
    uint32_t first, count;
    uint64_t lengths, heads; /* of ROW_WHOLE: lengths and first bytes */
    uint64_t starts, ends;   /* first bytes of ROW_START, last bytes of ROW_END */
    uint8_t patterns;        /* there is a ROW_PATTERN, which no filter covers */
} ConventionRows;

typedef struct Rulebook {
    const Entry *entries;      uint32_t entry_count;   /* entries[0] unused; likewise below */
    const uint32_t *entry_links; uint32_t entry_link_count;
    const Clause *clauses;     uint32_t clause_count;
    const RuleParam *params;   uint32_t param_count;
    const RuleEffect *effects; uint32_t effect_count;
    const Term *terms;         uint32_t term_count;
    const uint32_t *term_links; uint32_t term_link_count;
    const Hazard *hazards;     uint32_t hazard_count;
    const Remedy *remedies;    uint32_t remedy_count;  /* by hazard, safe ones first; remedies[0] unused */
    const TextId *pages;       uint32_t page_count;    /* file names */
    const ConventionRow *conventions; uint32_t convention_count; /* by word; within a word in the order of reading */
    const ConventionRows *convention_rows;             /* [Named] */
    const Text *texts;         uint32_t text_count;    /* texts[TextId] */
    EntryId root;              /* parent of the top-level modules (torch, numpy, builtins, ...) */
    uint32_t torch_version;    /* version that the facts are for, as rulebook_version(); 0 = the newest that was
                                  measured */
} Rulebook;

enum { TORCH_MEASURED_MAJOR = 2, TORCH_MEASURED_MINOR = 11 }; /* the newest measured version, see tests/truth */
uint32_t rulebook_version(uint32_t major, uint32_t minor);
bool rulebook_version_is(const Rulebook *book, Text condition); /* '>=2.1': holds for the version of this rulebook */

const Rulebook *rulebook_builtin(void); /* static, never freed */

EntryId rulebook_child(const Rulebook *book, EntryId parent, Text name);   /* its own children only; aliases resolved */
/* its own, then its bases', depth first */
EntryId rulebook_member(const Rulebook *book, EntryId class_entry, Text name);
EntryId rulebook_module(const Rulebook *book, EntryId entry); /* the module that it stands in; 0 = none */
EntryId rulebook_find(const Rulebook *book, Text dotted);                  /* from the root */
bool rulebook_inherits(const Rulebook *book, EntryId class_entry, EntryId base); /* or is the same */
HazardId rulebook_hazard(const Rulebook *book, Text name_or_code);
HazardId rulebook_finds(const Rulebook *book, Word finds); /* the hazard with that `Finds:` word; 0 = none */
bool rulebook_does(const Rulebook *book, HazardId hazard, uint32_t does); /* the hazard has one of these DOES_BITs */
/* Takes the next line off a hazard's `mend`. *purpose is the use in brackets that it is for; 0 = any, or an
   unknown word. */
Text rulebook_mend(Text *mends, Word *purpose);
Word rulebook_word_between(Word first, Word end, Text name); /* the word of that name in [first, end); 0 = none */
/* the text argument of that effect of the clause; empty = it has none */
Text rulebook_effect_text(const Rulebook *book, ClauseId clause, Word effect);
bool rulebook_says(const Rulebook *book, EntryId entry, Word effect);     /* whether one of its clauses has that effect */
bool rulebook_effect(const Rulebook *book, ClauseId clause, Word effect); /* whether the clause has that effect */
bool rulebook_is_hook(const Rulebook *book, EntryId entry); /* a framework calls it: some clause has the effect
                                                               `called` */
/* The names of all hooks, each once. */
const Text *rulebook_hooks(Arena *arena, const Rulebook *book, uint32_t *count);
Text rulebook_text(const Rulebook *book, TextId text);
const char *rulebook_word(Word word); /* the word as written on a page */

#endif
