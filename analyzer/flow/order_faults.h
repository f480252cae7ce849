#ifndef SYNCL_ORDER_FAULTS_H
#define SYNCL_ORDER_FAULTS_H
/* Order faults: what happens before what it needs: clocks read too early, copies read too early, streams that nobody
   ordered; and waits in the capture of a CUDA graph. Takes the call graph, const; walks every way from every root, each
   loop twice and callees in place, within counted bounds; gives one fault a place and kind, in the arena. */
#include "order.h"

typedef struct OrderFault {
    Place place;
    StmtId stmt;
    Word finds; /* FINDS_... */
    Confidence confidence;
    Place other; /* what it is told with: the first reading, the copy, the stream's region; file 0 = none */
    Rate rate;   /* how often the place runs; filled by `sites` */
} OrderFault;

typedef struct OrderFaults {
    VEC(OrderFault) items;
} OrderFaults;

OrderFaults order_faults_find(Arena *arena, const CallGraph *graph);

#endif
