#ifndef SYNCL_NOTEBOOK_H
#define SYNCL_NOTEBOOK_H
/* Reads a Jupyter notebook as one Python program: the code cells in order, with magics and shell lines blanked
   out byte for byte, so that every position in the program maps to one in a cell and one in the file.

   Takes the file's bytes; gives the program and the map of its segments, both in `result`. Fails, with a reason
   for Program.skipped, where the file is no Python notebook of format 4 (https://nbformat.readthedocs.io).
   Cells with an unclosed bracket or string are left out, since IPython does not run them either. */
#include "text.h"
#include <stdbool.h>

typedef struct Segment {
    uint32_t start; /* byte offset in the program */
    uint32_t first; /* byte offset in the program where its cell begins */
    uint32_t cell;  /* 1-based number of the cell; cells of every kind count, as in other tools */
    uint32_t raw;   /* byte offset in the file of the JSON string that holds this text, after its opening quote */
} Segment;

typedef struct Notebook {
    Text raw; /* the file's own bytes */
    VEC(uint32_t) lines; /* byte offset of each of its lines */
    VEC(Segment) segments;
} Notebook;

bool notebook_read(Arena *result, Text raw, Text *program, Notebook *out, Text *reason);
const Segment *notebook_segment(const Notebook *notebook, uint32_t offset); /* byte of the program; never NULL */
uint32_t notebook_raw(const Notebook *notebook, uint32_t offset);           /* its byte in the file */

uint32_t notebook_step(Text raw, uint32_t at); /* bytes that one character takes in a JSON string */
/* The program with its blanked-out text put back, where that text stands in the file without escapes. */
Text notebook_source(Arena *arena, const Notebook *notebook, Text program);

/* Blanks out what IPython accepts in one cell and Python does not, keeping its length: such a statement becomes
   `0`; the code behind %time and %timeit stays. False: nothing of the cell is Python that runs in this program. */
bool notebook_blank(char *cell, uint32_t length);

#endif
