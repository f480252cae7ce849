#ifndef SYNCL_PLACE_H
#define SYNCL_PLACE_H
/* Where a byte of the program stands for people (in a notebook: its cell, and the line in the cell) and for machines
   that open the file (in a notebook: the line and column in its JSON). Lines and columns from 1, in code points. */
#include "program.h"

typedef struct Place {
    uint32_t cell; /* 0 = the file has none */
    uint32_t line, column;
} Place;

Place place_shown(const SourceFile *file, uint32_t offset);
uint32_t place_line(const SourceFile *file, uint32_t offset); /* place_shown's line */
Position place_physical(const SourceFile *file, uint32_t offset);
Position place_bytes(const SourceFile *file, uint32_t offset); /* place_physical with the column in bytes */
/* "cell 3:12" in a notebook, else "12". */
Text place_text(Arena *arena, const SourceFile *file, uint32_t offset);

#endif
