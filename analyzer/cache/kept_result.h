#ifndef SYNCL_KEPT_RESULT_H
#define SYNCL_KEPT_RESULT_H
/* The first level of the cache: everything that a run wrote, and its exit status. Stored by its request, and
   valid while every answer that the run got from the file system still holds (base/inputs.h): every file that
   it read or looked for in vain, every folder that it listed, configuration, baseline, rule pages, profile.
   Only the last result of a request is kept.

   The request is everything else that a result depends on: the words of the command line but --threads; the
   working folder; the named paths with links resolved; the user (permissions); of the environment
   GITHUB_ACTIONS, GITHUB_STEP_SUMMARY (whether it is set), HOME and XDG_DATA_HOME (where profiles are), and
   NO_COLOR, TERM and the terminal as far as they decide about colours, links and the width of a text report;
   and the build of the program, by `cache`. Time, locale and the state of git do not matter. Not cached are
   runs that depend on more (standard input, --trace, --compare, --calibrate, --dump), runs that write into the
   project (--add-allow, --write-baseline), and runs that fail. */
#include "cache.h"
#include "inputs.h"

typedef enum HandTo { HAND_STDOUT, HAND_STDERR, HAND_FILE, HAND_SUMMARY, HAND_KINDS } HandTo;

typedef struct Handed {
    HandTo to;
    const char *path; /* HAND_FILE */
    Text bytes;
} Handed;

typedef struct KeptResult {
    int status;
    VEC(Handed) handed; /* in order */
    Inputs *inputs;     /* of a result that was found: what it depended on */
} KeptResult;

typedef struct Surroundings {
    const char *const *words; /* of the command line, argument files expanded; without --threads */
    uint32_t word_count;
    const char *const *paths; /* the paths to analyse among them */
    uint32_t path_count;
    bool color, links, workflow, summary;
    uint32_t columns; /* width of text formats */
    const char *profiles;     /* folder of the saved profiles; NULL = none */
} Surroundings;

/* False: a path does not exist, so nothing is cached. */
bool kept_request(Arena *scratch, const Surroundings *surroundings, Digest *request);
/* False: a miss. */
bool kept_result_find(const Cache *cache, Arena *result, Digest request, KeptResult *kept);
/* Asks all of `inputs` again first, and stores nothing if an answer has changed. Gives the number of bytes
   added. */
uint64_t kept_result_keep(const Cache *cache, Arena *scratch, Digest request, Inputs *inputs, const KeptResult *kept);

#endif
