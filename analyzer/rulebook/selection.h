#ifndef SYNCL_SELECTION_H
#define SYNCL_SELECTION_H
/* Which rules are reported. Takes layers of choices, the weakest first; a choice is a rule's name (host-read),
   its code (SYN101), the beginning of codes (SYN1), or ALL. A layer's `select` replaces what weaker layers
   chose. Where one layer both selects and ignores a rule, the more specific word wins; on a tie, ignore. Fails
   on a word that names no rule, with the nearest one that does. */
#include "config.h"
#include "rulebook.h"

typedef struct Selection {
    const bool *shown; /* [HazardId] */
} Selection;

/* `ignored_here`: what is ignored for one file; wins over all layers. */
bool selection_make(Arena *result, const Rulebook *book, const RuleLayer *const *layers, uint32_t count,
                    const Wordings *ignored_here, Selection *selection, Text *error);
/* How precisely a word names the rule: 0 = not at all; a longer beginning is more precise; a full name is the
   most. */
uint32_t selection_precision(const Rulebook *book, HazardId hazard, Text word);
/* A rule by name or code; 0 with one clear line in *error when there is none. */
HazardId selection_rule(Arena *arena, const Rulebook *book, const char *word, Text *error);

#endif
