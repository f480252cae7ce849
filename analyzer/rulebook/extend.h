#ifndef SYNCL_EXTEND_H
#define SYNCL_EXTEND_H
/* The rulebook of one run: the built-in one, with a team's own pages and the torch version that is asked for. Takes the
   patterns of --extend-rules (files, folders, globs) and a version such as 2.4 or 2.4.1+cu121, NULL = the newest that was
   measured; gives a rulebook in the arena. Fails (NULL) with one line: no such page, a wrong page, no version. `inputs` writes down what is read,
   or is NULL. */
#include "rulebook.h"
#include "inputs.h"

const Rulebook *extend_rulebook(Arena *result, const Rulebook *base, const char *const *patterns, uint32_t count,
                                const char *torch_version, Inputs *inputs, Text *error);

#endif
