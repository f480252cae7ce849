#ifndef SYNCL_PLACE_H
#define SYNCL_PLACE_H
/* Converts a byte offset of the program to a position for people (in a notebook: the cell and the line in it)
   and to one for tools that open the file (in a notebook: line and column of its JSON). Lines and columns start
   at 1; columns count code points. */
#include "program.h"

typedef struct Place {
    uint32_t cell; /* 0 = the file is no notebook */
    uint32_t line, column;
} Place;

Place place_shown(const SourceFile *file, uint32_t offset);
uint32_t place_line(const SourceFile *file, uint32_t offset); /* the line of place_shown */
Position place_physical(const SourceFile *file, uint32_t offset);
Position place_bytes(const SourceFile *file, uint32_t offset); /* place_physical with the column counted in bytes */
/* "cell 3:12" in a notebook, else "12". */
Text place_text(Arena *arena, const SourceFile *file, uint32_t offset);

#endif
