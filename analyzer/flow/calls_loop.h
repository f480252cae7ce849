#ifndef SYNCL_CALLS_LOOP_H
#define SYNCL_CALLS_LOOP_H
/* What a loop of a flow (item `at`) shows about how often it runs. For calls.c. */
#include "calls.h"

bool loop_holds_unseen(const CallGraph *graph, ContextId id, uint32_t at);
bool loop_does_little(const CallGraph *graph, ContextId id, uint32_t at);
bool loop_goes_over_parts(const CallGraph *graph, ContextId id, const Item *item);
bool loop_goes_over_devices(const Rulebook *book, const FlowGraph *graph, LoopId loop);
/* Of two exclusive branches that both wait, this is the one that waits less often, or the second one. */
bool branch_is_other(const CallGraph *graph, ContextId id, uint32_t at);
/* Outside of loops the context only steps optimizers that it makes for that: a whole training of one step, as a probe
   of how much memory a step needs. */
bool call_steps_new_optimizer(const CallGraph *graph, ContextId id);
bool loop_makes_runs(const CallGraph *graph, ContextId id, const Item *item);

#endif
