#ifndef SYNCL_SOURCES_H
#define SYNCL_SOURCES_H
/* Maps a recorded path to a file of the program, with a memo. Matches if either path, as the program or the
   recording has it, is a suffix of the other; else the file with the longest common suffix, since a recording
   may be of a copy in another folder. An installed file matches only itself: torch/utils/data.py is no data.py
   of the program. */
#include "program.h"

typedef struct Sources Sources;

Sources *sources_new(Arena *arena, const Program *program);
FileId sources_file(Sources *sources, Text recorded); /* 0 = none */

#endif
