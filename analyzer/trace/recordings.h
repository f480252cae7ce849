#ifndef SYNCL_RECORDINGS_H
#define SYNCL_RECORDINGS_H
/* Several recordings of one script as one ledger: the average of what each says, and their spread. The host is
   sometimes slower and sometimes faster, and a single trace cannot tell which of it was typical. Takes trace
   files; owned by the arena. A single trace gives its own ledger. A trace that cannot be trusted, or that is of
   another run than most, is left out, and the report says so; where none can be trusted, the first one's reason
   is given. Prices come from the traces without CPU operators, if there are any, as those disturb the run
   least; of several ranks of one run, from the rank that loses most, since the others wait for it. For
   recordings of syncl record the average must be within 3 % of the step time measured without detail, or within
   the spread of the clean steps: bursts furthest from it are left out first. Fails as ledger_make does. */
#include "ledger.h"

enum { RECORDINGS_LIMIT = 64 };

/* The trace files that are given: a folder stands for its *.json and *.json.gz files, by name. NULL: one line
   in *error. */
const char *const *recordings_files(Arena *arena, const char *const *given, uint32_t *count, Text *error);
Ledger *recordings_ledger(Arena *arena, const LedgerInput *input, const char *const *paths, uint32_t count,
                          Text *error);

#endif
