/* Put before a grammar's scanner: its memory comes from where the core's does, so that what fails is said (syntax.c). */
#include <stdlib.h>
#include "tree_sitter/alloc.h"
#define calloc ts_current_calloc
#define free ts_current_free
