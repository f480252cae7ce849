#ifndef SYNCL_KEPT_RESULT_H
#define SYNCL_KEPT_RESULT_H
/* The first level of the cache: what a whole run wrote, and its exit status. Kept by its request, found again while every
   answer that the run got from the file system still holds (base/inputs.h): every file it read or looked for and did not
   find, every folder it listed, configuration, baseline, rule pages, profile. One result a request, the last one.

   A request is all else that a result depends on: the words of the command line but --threads, the working folder, what the named paths
   are behind their links, the user (rights), and of the environment GITHUB_ACTIONS, GITHUB_STEP_SUMMARY (whether it is
   set), HOME and XDG_DATA_HOME (where profiles lie), and NO_COLOR, TERM and the terminal as far as they decide about
   colours and links; and the build of the program, by `cache`. The width of
   a text report has a say; neither time, locale nor git's state has. Runs that do depend on more are not kept: standard input, --trace, --compare, --calibrate, --dump, and
   those that write into the project (--add-allow, --write-baseline). A run that fails is not kept either. */
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
