#ifndef SYNCL_SIZE_H
#define SYNCL_SIZE_H
/* Sizes: numbers and shapes along the hot loops of a part, and the work that follows from them. Takes the calls of a part and
   the hot loops that matter, const; runs the scripts that lead to them once, with what is known of their numbers, the way
   calls lead: `Block(64, 128)` and `Block(128, 256)` are two. Gives a tree of calls for a turn of each loop, in the arena.
   It decides nothing about devices or waits, never fails, and takes a bounded number of steps, of which statements that mean nothing take none:
   what it did not come to is not known. */
#include "calls.h"
#include "given_shape.h"
#include "size_rules.h"

typedef struct Sizes Sizes;
typedef struct SizeNode SizeNode; /* a function, as it runs in a turn of a hot loop by one way of calls */

Sizes *sizes_find(Arena *arena, const CallGraph *graph, const Rate *loops, uint32_t loop_count, const bool *wanted,
                  const SizeOptions *options);

/* A turn of a hot loop, by its index among those that were given; NULL = the pass did not come there. */
const SizeNode *size_turn(const Sizes *sizes, uint32_t loop);
/* What is called there; NULL = not known. */
const SizeNode *size_call(const SizeNode *node, ExprId call, GlobalFunc callee);
/* Of one execution of an API's operation at an expression. No parts: not known. */
Workload size_operation(Arena *arena, const SizeNode *node, const Rulebook *book, ExprId expr, EntryId entry);
/* Of one call of it, with all that it calls. */
Workload size_whole(Arena *arena, const SizeNode *node);
/* Turns of a loop of the function; 0 to infinity where they are not known. */
Amount size_turns(const SizeNode *node, LoopId loop);
/* "(64, 3, 224, 224)", of a tensor; empty = not known, or not the same each time. */
Text size_shape(Arena *arena, const Sizes *sizes, FileId file, ExprId expr);

#endif
