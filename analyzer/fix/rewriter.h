#ifndef SYNCL_REWRITER_H
#define SYNCL_REWRITER_H
/* State for making the edits of one remedy: the text of its replacement, and the edits so far. Private to
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
    Span cut; /* text to be deleted behind a call that gets arguments; empty = none */
} Rewriter;

static inline const Expr *rewriter_written(const Rewriter *self, ExprId id) {
    return &self->pattern->exprs.items[id];
}
static inline const Expr *rewriter_there(const Rewriter *self, ExprId id) {
    return &self->model->exprs.items[id];
}

Text rewriter_bytes(const Rewriter *self, Span span);
uint32_t rewriter_line_start(const Rewriter *self, uint32_t at);
bool rewriter_begins_line(const Rewriter *self, uint32_t at); /* only blanks precede it on its line */
void rewriter_edit(Rewriter *self, Span span, Text text);
bool rewriter_makes(const Rewriter *self, const Expr *call, Word word);
/* Needs no parentheses in any context. */
bool rewriter_is_closed(const Expr *expr);
/* Prints an expression of the replacement; alone: only commas and brackets are next to it, so it needs no
   parentheses. */
void rewriter_print(Rewriter *self, Output *output, ExprId id, bool alone);
/* Prints source of the remedy with its metavariables replaced. */
void rewriter_print_source(Rewriter *self, Output *output, Span span);
/* Prints statements of the remedy; indent: written before each but the first. */
void rewriter_print_block(Rewriter *self, Output *output, List block, Text indent);
/* Edits the code at `id`, which matches `before`, where `after` differs from `before`. */
void rewriter_differ(Rewriter *self, ExprId before, ExprId after, ExprId id);
/* Appends the arguments of `after`, from number `from` on, to the call. */
void rewriter_append(Rewriter *self, List after, uint32_t from, const Expr *call);
/* The statement of the outermost loop; 0 = there is none, or a `with` inside could change the meaning of what
   is moved out. */
StmtId rewriter_outermost_loop(const Rewriter *self);
const Stmt *rewriter_stmt(const FileModel *model, List block, uint32_t i);
/* Makes the edits of the remedy's further parts, at other places. */
void rewriter_write_elsewhere(Rewriter *self);
void rewriter_print_list(Rewriter *self, Output *output, List list);

#endif
