#ifndef SYNCL_RUN_H
#define SYNCL_RUN_H
/* One run of the program: what was asked, and everything that it prints or writes. A command gives an exit
   status; on failure it prints one line on standard error and gives EXIT_CANNOT. */
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
    Cache cache;     /* its folder is NULL: no cache in this run */
    Inputs *inputs;  /* what was asked of the file system; NULL: not recorded */
    KeptResult kept; /* what was handed out so far */
} Run;

/* Prints words on standard error; returns `status`. */
int run_say(Arena *arena, Text words, int status);
/* All output of a run goes through here, so that a run answered from the cache writes the same. */
bool run_hand_out(Run *run, Handed handed);
void run_note(Run *run, Text words);
bool run_has_summary(void);
bool run_wants_color(const Options *options);
bool run_wants_links(const Options *options);
bool run_overwrites_nothing(Run *run, const Inputs *read);
/* Writes the output to the file or terminal that was asked for. */
int run_deliver(Run *run, int status);

#endif
