#ifndef SYNCL_PYTHON_STACK_H
#define SYNCL_PYTHON_STACK_H
/* The Python functions on the calling thread's stack, read from its frames without the GIL: they cannot change
   while the thread is in a call, and no reference count is touched. Only for the versions in python.def; any
   doubt about a layout gives no stack. What is read is copied. The addresses in a PythonFrame identify frames,
   and may be followed during the same call only. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PYTHON_FRAMES = 96, PYTHON_TEXT = 1000 };

struct PythonLayout;

typedef struct Python {
    const struct PythonLayout *layout; /* NULL = no stacks */
    void *(*this_state)(void);
    int (*is_running)(void);
    const void *code_type, *text_type;
    atomic_int careful; /* number of reads still to be checked by the kernel first */
    atomic_bool broken; /* a read failed, so the layout is wrong */
    int major, minor;
} Python;

typedef struct PythonFrame {
    uintptr_t code, instruction, file, name; /* addresses; instruction may be an offset */
    int32_t first_line;
} PythonFrame;

/* NULL, or one line that says why this process has no stacks. */
const char *python_find(Python *python);
uint32_t python_frames(Python *python, PythonFrame *frames, uint32_t limit); /* innermost first */
int32_t python_line(Python *python, const PythonFrame *frame);
size_t python_text(Python *python, uintptr_t text, char *utf8, size_t room); /* bytes written */

#endif
