#ifndef SYNCL_REMEDY_PATTERN_H
#define SYNCL_REMEDY_PATTERN_H
/* Patterns of remedies, lowered like sources, and their matching. A name in the pattern that is a parameter of
   its def is a metavariable: it stands for an expression, or, with a star, for any number of arguments or
   items. A repeated metavariable must stand for equal code. Any other dotted name stands for that API. */
#include "inference.h"
#include "syntax.h"

enum { METAVARIABLES = 12 };

typedef struct Pattern {
    const Remedy *remedy;
    Text source;
    const FileModel *model;
    List before, after; /* statements */
    List reads,
        calls;   /* expressions that replace other reads of the variable, and calls elsewhere; may be empty */
    List behind; /* to be inserted after the loop that fills a list; may be empty */
    List made;   /* replaces the assignment of a variable; may be empty */
    List first, ahead,
        then; /* to be inserted before the outermost loop; right before the statement; right after it */
    NameId names[METAVARIABLES]; /* names of the metavariables, by parameter */
} Pattern;

/* What a metavariable is bound to. */
typedef struct Bound {
    bool is, star;
    const ExprId *items;
    uint32_t count;
} MetaBound;

/* A call elsewhere that is edited too. */
typedef struct MadeCall {
    FileId file;
    ExprId expr;
} MadeCall;

typedef struct MadeCalls {
    MadeCall *items;
    uint32_t count, capacity;
} MadeCalls;

/* Indices of a file that matching needs. */
typedef struct FileIndex {
    const ExprId *parents; /* see purpose_parents */
    const StmtId *around;  /* [StmtId]: the enclosing statement; 0 = none */
    const StmtId *holds;   /* [ExprId]: the statement of an expression without a parent */
    const bool *shared;    /* [NameId]: a function names the module's variable of that name */
} FileIndex;

typedef struct FixPlace {
    const Inference *inference;
    const Rulebook *book;
    Arena *arena, *scratch;
    FileId file_id;
    const SourceFile *file;
    const FileModel *model;
    const FileIndex *index;
    const struct NameIndex **names; /* see making.c; built when first needed */
    const FlowGraph *graph;
    FuncId func;
    LoopId loop; /* the innermost loop around the site; 0 = none */
} FixPlace;

typedef struct Match {
    const FixPlace *place;
    const Pattern *pattern;
    ExprId expr; /* the match of the pattern: an expression, */
    StmtId stmt; /* or a statement */
    StmtId last; /* the last of several statements matched, of which stmt is the first; 0 = a single one */
    const StmtId
        *taken; /* for a pattern of several statements: their matches, 0 for `...`; NULL = a single one */
    MetaBound bound[METAVARIABLES];
    MadeCalls made; /* calls that a metavariable outside of the pattern stands for */
} PatternMatch;

const Pattern *pattern_read(Arena *arena, SyntaxParser *parser, const Rulebook *book, const Remedy *remedy);
FileIndex pattern_index(Arena *arena, const FileModel *model);

/* A metavariable is bound only to code that meets its conditions (meaning.h). */
bool pattern_fits_expr(PatternMatch *match, ExprId pattern, ExprId expr);
bool pattern_fits_stmt(PatternMatch *match, StmtId pattern, StmtId stmt);
/* The number of the metavariable that an expression of the pattern is; -1 = none. */
int pattern_variable(const Pattern *pattern, ExprId id);
/* The API that a dotted name of the pattern stands for; 0 = none. */
EntryId pattern_entry(const FixPlace *place, const Pattern *pattern, ExprId id);
bool pattern_same(const FileModel *model, ExprId a, ExprId b); /* equal tokens */
/* Whether two statements of the pattern are equal. */
bool pattern_same_stmt(const FileModel *model, StmtId a, StmtId b);

#endif
