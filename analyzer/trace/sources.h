#ifndef SYNCL_SOURCES_H
#define SYNCL_SOURCES_H
/* Which file of the program a recorded path is. Takes the program const; remembers what it was asked. A path as the program
   knows it, relative or not, is the end of the one that was recorded, or the recorded one its end; else the file that ends
   alike furthest, as a recording may be of a copy in another folder. What is installed is only itself: torch/utils/data.py
   is no data.py of the program's. */
#include "program.h"

typedef struct Sources Sources;

Sources *sources_new(Arena *arena, const Program *program);
FileId sources_file(Sources *sources, Text recorded); /* 0 = none */

#endif
