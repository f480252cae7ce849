#ifndef SYNCL_ORDER_FAULTS_H
#define SYNCL_ORDER_FAULTS_H
/* Order faults: something happens before what it needs. Clocks and copies are read too early, streams are not
   ordered; also, waits during the capture of a CUDA graph. Takes the call graph; walks every path from every
   root, each loop twice and callees in place, within counted bounds. Gives one fault for each place and kind,
   in the arena. */
#include "order.h"

typedef struct OrderFault {
    OrderPlace place;
    StmtId stmt;
    Word finds; /* FINDS_... */
    Confidence confidence;
    OrderPlace other; /* the other place to mention: the first reading, the copy, the stream's region; file 0 = none */
    Rate rate;   /* how often the place runs; filled by sites.c */
} OrderFault;

typedef struct OrderFaults {
    VEC(OrderFault) items;
} OrderFaults;

OrderFaults order_faults_find(Arena *arena, const CallGraph *graph);

#endif
