#ifndef SYNCL_REMEDY_PATTERN_H
#define SYNCL_REMEDY_PATTERN_H
/* The patterns of remedies, lowered as sources are, and their matching with the code. A name of the pattern that is a
   parameter of its def is a metavariable: it stands for an expression, below a star for any number of arguments or items.
   The same metavariable twice stands for the same code twice. A dotted name that is none stands for that API. */
#include "inference.h"
#include "syntax.h"

enum { METAVARIABLES = 12 };

typedef struct Pattern {
    const Remedy *remedy;
    Text source;
    const FileModel *model;
    List before, after; /* statements */
    List reads,
        calls; /* what each other reading of the variable becomes; what a call elsewhere is given; either may be empty */
    List behind; /* what is to stand behind the loop in which a list is gathered; may be empty */
    List made;   /* what the assignment becomes that makes a variable; may be empty */
    List first, ahead, then; /* what is to stand before the outermost loop, right before the statement, and behind it */
    NameId names[METAVARIABLES]; /* of the metavariables, by parameter */
} Pattern;

/* What a metavariable stands for. */
typedef struct Bound {
    bool is, star;
    const ExprId *items;
    uint32_t count;
} MetaBound;

/* A call elsewhere that an edit is made of. */
typedef struct MadeCall {
    FileId file;
    ExprId expr;
} MadeCall;

typedef struct MadeCalls {
    MadeCall *items;
    uint32_t count, capacity;
} MadeCalls;

/* The parts of a file that patterns are looked for in. */
typedef struct FileIndex {
    const ExprId *parents; /* purpose_parents */
    const StmtId *around;  /* [StmtId]: the statement that it is part of; 0 = none */
    const StmtId *holds;   /* [ExprId]: the statement that an expression without a parent stands in */
} FileIndex;

typedef struct Place {
    const Inference *inference;
    const Rulebook *book;
    Arena *arena, *scratch;
    FileId file_id;
    const SourceFile *file;
    const FileModel *model;
    const FileIndex *index;
    const struct NameIndex **names; /* see making.c; made when it is asked for */
    const FlowGraph *graph;
    FuncId func;
    LoopId loop; /* the innermost around the site; 0 = none */
} FixPlace;

typedef struct Match {
    const FixPlace *place;
    const Pattern *pattern;
    ExprId expr; /* what the pattern is: an expression, */
    StmtId stmt; /* or a statement */
    StmtId last; /* of a row of statements, of which stmt is the first; 0 = it is none */
    const StmtId
        *taken; /* of several statements of the pattern those that they are, 0 for `...`; NULL = it is one */
    MetaBound bound[METAVARIABLES];
    MadeCalls made; /* what the metavariable that is no part of the pattern stands for */
} PatternMatch;

const Pattern *pattern_read(Arena *arena, SyntaxParser *parser, const Rulebook *book, const Remedy *remedy);
FileIndex pattern_index(Arena *arena, const FileModel *model);

/* Metavariables are bound only to what meets their conditions (meaning.h). */
bool pattern_fits_expr(PatternMatch *match, ExprId pattern, ExprId expr);
bool pattern_fits_stmt(PatternMatch *match, StmtId pattern, StmtId stmt);
/* The number of the metavariable that an expression of the pattern is; -1 = none. */
int pattern_variable(const Pattern *pattern, ExprId id);
/* The API that a dotted name of the pattern is; 0 = it is none. */
EntryId pattern_entry(const FixPlace *place, const Pattern *pattern, ExprId id);
bool pattern_same(const FileModel *model, ExprId a, ExprId b); /* the same code, as tokens */
/* Two statements of the pattern are the same. */
bool pattern_same_stmt(const FileModel *model, StmtId a, StmtId b);

#endif
