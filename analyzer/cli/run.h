#ifndef SYNCL_RUN_H
#define SYNCL_RUN_H
/* One run of the program: what was asked, and everything that it says or writes. A command gives an exit status; what
   cannot be done is one line on standard error and EXIT_CANNOT. */
#include "analyze.h"
#include "destinations.h"
#include "kept_result.h"
#include "known.h"
#include "options.h"
#include "report.h"
#include "settings.h"

enum { EXIT_QUIET = 0, EXIT_FOUND = 1, EXIT_CANNOT = 2 };

typedef struct Run {
    Arena *arena;
    const char *version;
    Options options;
    Repository repository;
    Settings *settings;
    Strings argfiles;
    Destinations destinations;
    const KnownList *known;
    Output output;
    Text error;
    Cache cache;     /* its folder is NULL: none for this run */
    Inputs *inputs;  /* what is asked of the file system; NULL: nobody has to know */
    KeptResult kept; /* what was handed out */
} Run;

/* Says it on standard error; gives the status back. */
int run_say(Arena *arena, Text words, int status);
/* Everything that a run writes leaves it here, so that a run that finds it in the cache writes the same. */
bool run_hand_out(Run *run, Handed handed);
void run_note(Run *run, Text words);
bool run_has_summary(void);
bool run_wants_color(const Options *options);
bool run_wants_links(const Options *options);
bool run_overwrites_nothing(Run *run, const Inputs *read);
/* The output, to the file or terminal that was asked for. */
int run_deliver(Run *run, int status);

#endif
