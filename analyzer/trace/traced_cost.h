#ifndef SYNCL_TRACED_COST_H
#define SYNCL_TRACED_COST_H
/* Replaces assumed prices by those of a trace: for the findings seen in it and the loop that was traced. Takes
   the static prices and a ledger; gives new prices. A trace that is not trusted changes nothing. */
#include "cost.h"
#include "ledger.h"

Costs *traced_costs(Arena *arena, const Findings *findings, const Costs *assumed, const Ledger *ledger);

#endif
