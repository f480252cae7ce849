#ifndef SYNCL_TRACED_COST_H
#define SYNCL_TRACED_COST_H
/* Prices with what a trace says in the place of what was assumed: of the findings that were seen in it, and of the loop
   that was traced. Takes the static prices and a ledger, const; gives new ones. A trace that is not believed changes
   nothing. */
#include "cost.h"
#include "ledger.h"

Costs *traced_costs(Arena *arena, const Findings *findings, const Costs *assumed, const Ledger *ledger);

#endif
