#ifndef SYNCL_NOTEBOOK_H
#define SYNCL_NOTEBOOK_H
/* A Jupyter notebook as one Python program: the code cells in their order, magics and shell lines blanked out byte for
   byte, so that a position in the program is one in a cell and one in the file.

   Takes the file's bytes; gives the program and the map of its segments, both in `result`. Fails, with a reason for
   Program.skipped, where the file is no notebook of Python (format 4: https://nbformat.readthedocs.io). Cells whose
   brackets or strings do not end are left out, as IPython runs none of them. */
#include "text.h"
#include <stdbool.h>

typedef struct Segment {
    uint32_t start; /* byte of the program */
    uint32_t first; /* byte of the program where its cell begins */
    uint32_t cell;  /* from 1, cells of every kind counted, as other tools do */
    uint32_t raw;   /* byte of the file where the JSON string with this text begins, after its quote */
} Segment;

typedef struct Notebook {
    Text raw; /* the file's own bytes */
    VEC(uint32_t) lines; /* byte offset of each of its lines */
    VEC(Segment) segments;
} Notebook;

bool notebook_read(Arena *result, Text raw, Text *program, Notebook *out, Text *reason);
const Segment *notebook_segment(const Notebook *notebook, uint32_t offset); /* of the program; never NULL */
uint32_t notebook_raw(const Notebook *notebook, uint32_t offset);           /* the byte of the file */

uint32_t notebook_step(Text raw, uint32_t at); /* bytes of one character of a JSON string */
/* The program with what was blanked out of it, as far as it stands in the file without escapes. */
Text notebook_source(Arena *arena, const Notebook *notebook, Text program);

/* Blanks out of one cell what IPython reads and Python does not, keeping its length: a statement becomes `0`, what
   %time and %timeit run stays. False: nothing of the cell is Python that runs here. */
bool notebook_blank(char *cell, uint32_t length);

#endif
