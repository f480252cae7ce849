#ifndef SYNCL_RECORDINGS_H
#define SYNCL_RECORDINGS_H
/* Several recordings of one script as one ledger: the average of what each says, and how far they are apart. A host is now
   slower and now faster, and a single trace does not know which of it was usual. Takes trace files; owned by the arena.
   One trace gives its own ledger. A trace that can't be trusted, or is of another run than most of them, is left out and
   said to be; where none can be trusted the first one tells why. Prices are of the traces that hold no CPU operators if
   there are any, as these record least; of several ranks of one run, those of the rank that loses most, for which the
   others wait. Of a recording by syncl record the average must be within 3 % of the step as it was measured without detail,
   or as near as clean steps that wander let it be: bursts that are furthest from it are left out first. Fails as
   ledger_make does. */
#include "ledger.h"

enum { RECORDINGS_LIMIT = 64 };

/* The files that are meant: a folder stands for the traces in it, *.json and *.json.gz, by name. NULL: one line in *error. */
const char *const *recordings_files(Arena *arena, const char *const *given, uint32_t *count, Text *error);
Ledger *recordings_ledger(Arena *arena, const LedgerInput *input, const char *const *paths, uint32_t count,
                          Text *error);

#endif
