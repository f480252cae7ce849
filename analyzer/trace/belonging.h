#ifndef SYNCL_BELONGING_H
#define SYNCL_BELONGING_H
/* How much of a trace belongs to the sources that were analysed. Takes the traced run with its waits and what they were
   joined to, the program, and what was counted of its loops, const; gives numbers, and why the trace must be another
   script's. What another script lost says nothing of this one. */
#include "cost.h"
#include "join.h"

typedef struct Belonging {
    uint32_t waits, joined;   /* in the trace; of them, those that fit findings of the traced loop */
    uint32_t called, here;    /* whose Python functions are recorded; of them, those called from these sources */
    double launches;          /* a step queues */
    double operations_low, operations_high; /* GPU operations that were counted in the loop's turn; 0 = no loop fits */
    Text foreign;             /* why it is no trace of these sources; empty = it may well be */
} Belonging;

Belonging belonging_of(Arena *arena, const TracedRun *run, const Waits *waits, const Join *join, const Program *program,
                       const Findings *findings, const Costs *assumed);

#endif
