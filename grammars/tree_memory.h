#ifndef SYNCL_TREE_MEMORY_H
#define SYNCL_TREE_MEMORY_H
/* Memory for tree-sitter's core. A parse takes some hundred thousand small pieces that all die together, and giving them
   back one by one costs a fifth of it. Between tree_memory_open and tree_memory_close what the core takes on this thread
   is cut from blocks, and gone at once when they close; at other times it is malloc's. The core's functions for memory
   are given nothing to tell whose it is, so here is the one place with state of a thread, as in malloc itself.
   Pieces are aligned to 8 bytes. Under the address sanitizer each is malloc's own, so that none is used once gone. */
#include <stddef.h>

typedef struct TreeMemory TreeMemory;

/* From the first call on the core's memory comes from here, on all threads. None may be taken by then. failed: is told how
   many bytes there were none of, and does not return. */
void tree_memory_use(void (*failed)(size_t bytes));

TreeMemory *tree_memory_new(void);
void tree_memory_free(TreeMemory *self); /* closed */
void tree_memory_open(TreeMemory *self); /* one at a time a thread */
void tree_memory_close(TreeMemory *self); /* trees and parsers that were made since are gone, not to be deleted */

#endif
