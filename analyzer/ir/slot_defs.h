#ifndef SYNCL_SLOT_DEFS_H
#define SYNCL_SLOT_DEFS_H
/* Which statements of a function bind a variable or path, so that who asks about one does not look at all statements:
   assignments, augmented ones and loops whose targets name its slot, themselves or in tuples and lists; and the copies
   of it, `to = it`. In the order of the statements. */
#include "model.h"

typedef struct SlotDef {
    StmtId stmt;
    uint32_t next; /* 0 = last */
} SlotDef;

typedef struct SlotDefs {
    uint32_t slots;
    const uint32_t *bound, *copied; /* [slot]: the first in `items`; 0 = none */
    const SlotDef *items;
} SlotDefs;

/* What lies below each slot: the paths a.b and a["k"] below a, and a.b.c below a.b. */
typedef struct Paths {
    uint32_t *first, *next; /* [slot]; 0 = none */
} Paths;

const SlotDefs *slot_defs_make(Arena *arena, Arena *scratch, const FileModel *model, const Func *func);

uint32_t slot_own(const Expr *expr); /* of a name, attribute or item that is a slot of its function; else 0 */

/* for (uint32_t d = slot_defs_bound(all, slot); d; d = all->items[d].next) */
static inline uint32_t slot_defs_bound(const SlotDefs *self, uint32_t slot) {
    return slot < self->slots ? self->bound[slot] : 0;
}

static inline uint32_t slot_defs_copied(const SlotDefs *self, uint32_t slot) {
    return slot < self->slots ? self->copied[slot] : 0;
}

#endif
