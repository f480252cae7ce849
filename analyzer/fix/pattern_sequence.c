#include "pattern_sequence.h"
#include "loop_turn.h"

/* most statements before the waiting one, and between two matched ones */
enum { APART_MOST = 60 };

bool sequence_is(const Pattern *pattern) { return pattern->before.count > 1; }

bool sequence_leaves(const FileModel *pattern, StmtId id) {
    const Stmt *stmt = &pattern->stmts.items[id];
    return stmt->kind == STMT_EXPR && pattern->exprs.items[stmt->a].kind == EXPR_ELLIPSIS;
}

typedef struct Sequence {
    PatternMatch *match;
    const StmtId *wanted, *found;
    uint32_t wants, count;
    StmtId *taken; /* [wants] */
} Sequence;

/* Matches the pattern from its k-th statement on with the block from its i-th on, by backtracking: gaps are as
   short as possible. */
static bool fits_from(Sequence *self, uint32_t k, uint32_t i) {
    if (k == self->wants) return true;
    PatternMatch before = *self->match;
    if (sequence_leaves(self->match->pattern->model, self->wanted[k])) {
        for (uint32_t left = 0; left <= APART_MOST && i + left < self->count; left++, *self->match = before)
            if (fits_from(self, k + 1, i + left)) return true;
        return false;
    }
    self->taken[k] = i < self->count ? self->found[i] : 0;
    return i < self->count && pattern_fits_stmt(self->match, self->wanted[k], self->found[i]) &&
           fits_from(self, k + 1, i + 1);
}

static bool takes(const Sequence *self, StmtId id) {
    for (uint32_t k = 0; k < self->wants; k++)
        if (self->taken[k] == id) return true;
    return false;
}

static bool fits_around(PatternMatch *match, StmtId id) {
    const FixPlace *place = match->place;
    List wanted = match->pattern->before;
    uint32_t at = 0;
    List block = turn_block(place, id, &at);
    Sequence self = {.match = match,
                     .wanted = match->pattern->model->links.items + wanted.first,
                     .found = place->model->links.items + block.first,
                     .wants = wanted.count,
                     .count = block.count};
    self.taken = arena_new(place->scratch, StmtId, wanted.count);
    PatternMatch none = *match;
    for (uint32_t back = 0; block.count && back <= at && back <= APART_MOST; back++, *match = none) {
        if (!fits_from(&self, 0, at - back) || !takes(&self, id)) continue;
        match->stmt = self.taken[0];
        match->taken = self.taken;
        return true;
    }
    return false;
}

bool sequence_fits(PatternMatch *match, StmtId within) {
    for (StmtId id = within; id; id = match->place->index->around[id])
        if (fits_around(match, id)) return true;
    return false;
}
