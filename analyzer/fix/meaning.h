#ifndef SYNCL_MEANING_H
#define SYNCL_MEANING_H
/* The conditions of remedies: what is known of a value in every context of its function, and what the text and the flow
   graph say. Three-valued: what is not known holds nothing. */
#include "remedy_pattern.h"

/* Whole numbers, each `by` above the one before. */
typedef struct Steps {
    uint32_t first, last, by;
} Steps;
bool meaning_steps(const FixPlace *place, ExprId list, Steps *steps); /* false: it is no list of such */

/* Whether the metavariable of a remedy may stand for the expression. */
bool meaning_holds(const FixPlace *place, const Remedy *remedy, uint32_t variable, ExprId expr);
/* Whether the whole is used as the remedy wants it. */
bool meaning_use(const FixPlace *place, const Remedy *remedy, ExprId expr);
/* Some fact that was asked for is likely only. */
bool meaning_is_likely(const FixPlace *place, const Remedy *remedy, uint32_t variable, ExprId expr);
/* Metavariables that stand for code elsewhere are bound; false: there is none. */
bool meaning_bind_elsewhere(const FixPlace *place, PatternMatch *match);
/* What could not be asked before the whole pattern fitted. */
bool meaning_fits_whole(const PatternMatch *match);
/* A word of facts about values holds of all that the expression may be. */
bool meaning_is(const FixPlace *place, Word word, ExprId expr);
/* The API that the expression is in every context; 0 = it is none, or not always the same. */
EntryId meaning_entry(const FixPlace *place, ExprId expr);
/* Nothing of the operands' memory is in it: it is a number, or a tensor on the GPU, or such. */
bool meaning_keeps_nothing(const FixPlace *place, ExprId expr);
/* The expression is that API in every context. */
bool meaning_is_entry(const FixPlace *place, ExprId expr, EntryId entry);

#endif
