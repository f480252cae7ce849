#ifndef SYNCL_PRICE_LIST_H
#define SYNCL_PRICE_LIST_H
/* What a recording said of each line and loop, as JSON that is small enough to commit (--write-prices), and read again
   as a recording (--trace): no GPU and no replay, for CI. Lines are known by file, rule and expression, so they may move;
   what is gone is left out. "turn" is one usual step (kept_turn.h), in whose replay several lines gain together, and what
   is new is priced; `site` counts "waits" from 1. What stood there and never waited, "unseen", is not new. Takes ledgers
   const; owned by the arena.

   {"syncl_prices": 1, "loops": [{"file": "train.py", "head": "for batch in loader:", "steps": 33, "step_us": 12300,
     "measured_us": ..., "unprofiled_us": ..., "host_us": ..., "gpu_us": ..., "blocked_us": ..., "saving_us": ...,
     "waits": [{"file": "train.py", "rule": "host-read", "expression": "loss.item()", "number": 0, "per_step": 1,
       "saving_us": 120, "low_us": 95, "high_us": 145, "blocked_us": 4000, "in_library": false}, ...],
     "unseen": [{"file": "train.py", "rule": "print-tensor", "expression": "print(loss)", "number": 0}, ...],
     "turn": {"latency_us": 5, "queue": 1024, "items": ["L 0 7 0 0 12 5.1 33 0", ...]}}, ...]} */
#include "ledger.h"
#include "output.h"

void price_list_write(Output *output, const Program *program, const Rulebook *book, const Findings *findings,
                      const Ledger *first);
bool price_list_is(const char *path); /* does the file begin like one? */
Ledger *price_list_read(Arena *arena, const LedgerInput *input, const char *path, Text *error);

#endif
