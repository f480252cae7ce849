#ifndef SYNCL_SIZE_H
#define SYNCL_SIZE_H
/* Sizes: numbers and shapes along the hot loops of a part, and the work that follows from them. An abstract
   interpretation of its own: it runs the scripts that lead to the hot loops once, with known numbers where
   there are some, and follows calls separately by call path, so `Block(64, 128)` and `Block(128, 256)` are two.
   Gives a tree of calls for one iteration of each loop, in the arena. Decides nothing about devices or waits.
   Never fails: it takes a bounded number of steps (statements without effect are free), and what it did not
   reach is unknown. */
#include "calls.h"
#include "given_shape.h"
#include "size_rules.h"

typedef struct Sizes Sizes;
typedef struct SizeNode SizeNode; /* a function as it runs in an iteration of a hot loop, by one path of calls */

Sizes *sizes_find(Arena *arena, const CallGraph *graph, const Rate *loops, uint32_t loop_count, const bool *wanted,
                  const SizeOptions *options);

/* One iteration of a hot loop, by its index in `loops`; NULL = the pass did not reach it. */
const SizeNode *size_turn(const Sizes *sizes, uint32_t loop);
/* The node of that call; NULL = unknown. */
const SizeNode *size_call(const SizeNode *node, ExprId call, GlobalFunc callee);
/* The work of one execution of an API's operation at an expression. Without parts it is unknown. */
Workload size_operation(Arena *arena, const SizeNode *node, const Rulebook *book, ExprId expr, EntryId entry);
/* The work of one execution of a call that only this pass could follow, e.g. of a model made by its name. */
Workload size_followed(Arena *arena, const SizeNode *node, ExprId call);
/* The same of the program's functions alone that run there: the forward of a class of which inference knows the base. */
Workload size_called(Arena *arena, const SizeNode *node, ExprId call);
/* The work of one call of the node's function, with everything that it calls. */
Workload size_whole(Arena *arena, const SizeNode *node);
/* Iterations of a loop of the function; 0 to infinity where unknown. */
Amount size_turns(const SizeNode *node, LoopId loop);
/* A tensor's shape, "(64, 3, 224, 224)"; empty = unknown, or not the same each time. */
Text size_shape(Arena *arena, const Sizes *sizes, FileId file, ExprId expr);

#endif
