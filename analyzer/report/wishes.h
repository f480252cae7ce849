#ifndef SYNCL_WISHES_H
#define SYNCL_WISHES_H
/* Which rules are shown for each file, from the file's own configuration. Fails with one line on a word that
   names no rule. `current`: the folder that the program's paths are relative to. */
#include "program.h"
#include "selection.h"
#include "settings.h"

const Selection *wishes_by_file(Arena *result, const Program *program, const Rulebook *book, Settings *settings,
                                Text current, Text *error); /* [FileId] */

#endif
