#ifndef SYNCL_BELONGING_H
#define SYNCL_BELONGING_H
/* How much of a trace belongs to the sources that were analysed. Takes the traced run with its waits and their
   join, the program, and what was counted in its loops; gives numbers, and the reason why the trace must be of
   another script. What another script lost says nothing about this one. */
#include "cost.h"
#include "join.h"

typedef struct Belonging {
    uint32_t waits, joined;   /* waits in the trace; how many of them fit findings of the traced loop */
    uint32_t called, here;    /* waits with recorded Python functions; how many of them were called from these
                                 sources */
    double launches;          /* launches a step */
    double operations_low, operations_high; /* GPU operations counted in one iteration of the loop; 0 = no loop fits */
    Text foreign;             /* why it cannot be a trace of these sources; empty = it may be one */
} Belonging;

Belonging belonging_of(Arena *arena, const TracedRun *run, const Waits *waits, const Join *join, const Program *program,
                       const Findings *findings, const Costs *assumed);

#endif
