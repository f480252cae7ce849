#ifndef SYNCL_PRICE_LIST_H
#define SYNCL_PRICE_LIST_H
/* What a recording said of each line and loop, as JSON that is small enough to commit (--write-prices), and read again
   as a recording (--trace): no GPU and no replay, for CI. Lines are known by file, rule and expression, so they may move;
   what is new has no price in it, and what is gone is left out. Takes ledgers const; owned by the arena.

   {"syncl_prices": 1, "loops": [{"file": "train.py", "head": "for batch in loader:", "steps": 33, "step_us": 12300,
     "measured_us": ..., "unprofiled_us": ..., "host_us": ..., "gpu_us": ..., "blocked_us": ..., "saving_us": ...,
     "waits": [{"file": "train.py", "rule": "host-read", "expression": "loss.item()", "number": 0, "per_step": 1,
       "saving_us": 120, "low_us": 95, "high_us": 145, "blocked_us": 4000, "in_library": false}, ...]}, ...]} */
#include "ledger.h"
#include "output.h"

void price_list_write(Output *output, const Program *program, const Rulebook *book, const Findings *findings,
                      const Ledger *first);
bool price_list_is(const char *path); /* does the file begin like one? */
Ledger *price_list_read(Arena *arena, const LedgerInput *input, const char *path, Text *error);

#endif
