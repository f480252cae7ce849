#ifndef SYNCL_REWRITER_H
#define SYNCL_REWRITER_H
/* What the edits of one remedy are made with: the text of its replacement, and the edits so far. A private header of rewriting.c
   and remedy_text.c. */
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
static inline const Expr *rewriter_there(const Rewriter *self, ExprId id) { return &self->model->exprs.items[id]; }

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
void rewriter_print_list(Rewriter *self, Output *output, List list);

#endif
