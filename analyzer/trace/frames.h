#ifndef SYNCL_FRAMES_H
#define SYNCL_FRAMES_H
/* The Python functions of a trace found in the program: "path/train.py(17): main" is a function of a file that was
   analysed, or none of it. Takes the trace's names and the program, const; owned by the arena. Files match as
   `sources` says, functions by name and first line. */
#include "program.h"
#include "trace.h"

typedef struct PythonFrame {
    FileId file; /* 0 = not of the program */
    FuncId func;
} PythonFrame;

PythonFrame *frames_find(Arena *arena, const Trace *trace, const Program *program); /* [Sym] */
FuncId frames_function_of(const FileModel *model, uint32_t offset);           /* the innermost around it */

#endif
