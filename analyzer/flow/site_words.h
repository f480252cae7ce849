#ifndef SYNCL_SITE_WORDS_H
#define SYNCL_SITE_WORDS_H
/* Words of a site: "every training step", "training step of `for x, y in loader` in train()". In the arena. */
#include "calls.h"

Text frequency_text(Arena *arena, const Frequency *frequency);
Text loop_name(Arena *arena, const Program *program, const Rate *rate);

#endif
