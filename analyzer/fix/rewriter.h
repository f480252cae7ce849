#ifndef SYNCL_REWRITER_H
#define SYNCL_REWRITER_H
/* What the edits of one remedy are made with: the text of its replacement, and the edits so far. A private header of
   rewriting.c, rewriting_elsewhere.c and remedy_text.c. */
#include "output.h"
#include "rewriting.h"

typedef struct Rewriter {
    const PatternMatch *match;
    const FixPlace *place;
    const FileModel *pattern; /* of the remedy */
    const FileModel *model;   /* of the file */
    Rewriting *out;
    bool failed;
} Rewriter;

static inline const Expr *rewriter_written(const Rewriter *self, ExprId id) {
    return &self->pattern->exprs.items[id];
}
static inline const Expr *rewriter_there(const Rewriter *self, ExprId id) {
    return &self->model->exprs.items[id];
}

Text rewriter_bytes(const Rewriter *self, Span span);
uint32_t rewriter_line_start(const Rewriter *self, uint32_t at);
bool rewriter_begins_line(const Rewriter *self, uint32_t at); /* nothing but blanks stands before it */
void rewriter_edit(Rewriter *self, Span span, Text text);
bool rewriter_makes(const Rewriter *self, const Expr *call, Word word);
/* Nothing around it can tear it apart. */
bool rewriter_is_closed(const Expr *expr);
/* An expression of the replacement; alone: nothing stands beside it but commas and brackets. */
void rewriter_print(Rewriter *self, Output *output, ExprId id, bool alone);
/* What stands there in the remedy, with what its names stand for. */
void rewriter_print_source(Rewriter *self, Output *output, Span span);
/* Statements of the remedy, one below the other; indent: what each of them but the first begins with. */
void rewriter_print_block(Rewriter *self, Output *output, List block, Text indent);
/* What differs between two expressions of the remedy, at the one that the first is in the code. */
void rewriter_differ(Rewriter *self, ExprId before, ExprId after, ExprId id);
/* New arguments come behind the last one: those of the list from the number on. */
void rewriter_append(Rewriter *self, List after, uint32_t from, const Expr *call);
/* The statement of the outermost loop; 0 = it is none, or what stands in a `with` of it could mean something else outside. */
StmtId rewriter_outermost_loop(const Rewriter *self);
const Stmt *rewriter_stmt(const FileModel *model, List block, uint32_t i);
/* What the further parts of the remedy make of other places. */
void rewriter_write_elsewhere(Rewriter *self);
void rewriter_print_list(Rewriter *self, Output *output, List list);

#endif
