#ifndef SYNCL_EXTEND_H
#define SYNCL_EXTEND_H
/* The rulebook of one run: the built-in one, extended by a team's own pages, for a torch version. Takes the
   patterns of --extend-rules (files, folders, globs) and a version such as 2.4 or 2.4.1+cu121 (NULL = the
   newest that was measured); gives a rulebook in the arena. Fails (NULL, one line in *error) where a pattern
   matches no page, a page is wrong or the version is none. `inputs` records what is read, or is NULL. */
#include "rulebook.h"
#include "inputs.h"

const Rulebook *extend_rulebook(Arena *result, const Rulebook *base, const char *const *patterns, uint32_t count,
                                const char *torch_version, Inputs *inputs, Text *error);

#endif
