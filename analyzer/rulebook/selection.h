#ifndef SYNCL_SELECTION_H
#define SYNCL_SELECTION_H
/* Which rules are reported. Takes layers of wishes, the weakest first: a rule's name (host-read), its code (SYN101),
   the beginning of codes (SYN1), or ALL. A layer's select starts afresh; where a layer both wants and ignores a rule, the
   more specific word wins, then ignore. Fails on a word that names no rule, with the nearest that does. */
#include "config.h"
#include "rulebook.h"

typedef struct Selection {
    const bool *shown; /* [HazardId] */
} Selection;

/* `ignored_here`: of one file; wins over all. */
bool selection_make(Arena *result, const Rulebook *book, const RuleLayer *const *layers, uint32_t count,
                    const Wordings *ignored_here, Selection *selection, Text *error);
/* How precisely a word names the rule: 0 not at all, else the more the longer; a full name beats any beginning. */
uint32_t selection_precision(const Rulebook *book, HazardId hazard, Text word);
/* A rule by name or code; 0 with one clear line in *error when there is none. */
HazardId selection_rule(Arena *arena, const Rulebook *book, const char *word, Text *error);

#endif
