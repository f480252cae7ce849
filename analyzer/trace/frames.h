#ifndef SYNCL_FRAMES_H
#define SYNCL_FRAMES_H
/* Finds the Python functions of a trace in the program: "path/train.py(17): main" is a function of an analysed
   file, or none. Takes the trace's names and the program; owned by the arena. Files are matched as sources.h
   says, functions by name and first line. */
#include "program.h"
#include "trace.h"

typedef struct PythonFrame {
    FileId file; /* 0 = not in the program */
    FuncId func;
} PythonFrame;

PythonFrame *frames_find(Arena *arena, const Trace *trace, const Program *program); /* [Sym] */
FuncId frames_function_of(const FileModel *model, uint32_t offset);           /* the innermost one around the byte */

#endif
