#ifndef SYNCL_MEANING_H
#define SYNCL_MEANING_H
/* Conditions of remedies: what is known of a value in every context of its function, and what the text and flow
   graph show. Three-valued: an unknown condition does not hold. */
#include "remedy_pattern.h"

/* An arithmetic sequence of whole numbers. */
typedef struct Steps {
    uint32_t first, last, by;
} Steps;
/* false: the expression is no list of such numbers */
bool meaning_steps(const FixPlace *place, ExprId list, Steps *steps);

/* Whether the metavariable of the remedy may stand for the expression. */
bool meaning_holds(const FixPlace *place, const Remedy *remedy, uint32_t variable, ExprId expr);
/* Whether the whole match meets the remedy's condition behind `->`. */
bool meaning_use(const FixPlace *place, const Remedy *remedy, ExprId expr);
/* Some fact that this relied on is only likely. */
bool meaning_is_likely(const FixPlace *place, const Remedy *remedy, uint32_t variable, ExprId expr);
/* Binds metavariables that stand for code elsewhere; false: there is no such code. */
bool meaning_bind_elsewhere(const FixPlace *place, PatternMatch *match);
/* Checks the conditions that need the whole match. */
bool meaning_fits_whole(const PatternMatch *match);
/* A word for facts about values holds for everything that the expression may be. */
bool meaning_is(const FixPlace *place, Word word, ExprId expr);
/* The API that the expression is in every context; 0 = none, or not always the same. */
EntryId meaning_entry(const FixPlace *place, ExprId expr);
/* The result shares no memory with its operands: it is a number, a new GPU tensor, or the like. */
bool meaning_keeps_nothing(const FixPlace *place, ExprId expr);
/* Whether the expression is that API in every context. */
bool meaning_is_entry(const FixPlace *place, ExprId expr, EntryId entry);

#endif
