#ifndef SYNCL_INPUTS_H
#define SYNCL_INPUTS_H
/* The record of what a run asked of the file system and what it was told. A run is a function of its command
   line, its environment (cache/kept_result.h lists what counts) and these answers: while all of them hold, so
   does its result. That a file was looked for and not found is an answer too.

   Whoever reads the file system records the question here first, then reads. Before a result is cached every
   question is asked again, so that a change during the run is noticed. A file whose metadata (device, inode,
   size, links, mode, both times to the nanosecond) is unchanged is taken to hold the same bytes, unless it was
   younger than two seconds when it was asked about: then a later change may carry the same times, so its bytes
   are compared (git's rule).

   A NULL Inputs records nothing. Not thread-safe. */
#include "digest.h"

typedef enum Asked {
    ASKED_FILE,    /* the bytes of a file, or why they cannot be read */
    ASKED_KIND,    /* what is at a path: nothing, a file, a folder, ... (links are followed) */
    ASKED_FOLDER,  /* the names in a folder and the kind of each (links are not followed) */
    ASKED_SAME,    /* which file a path is: several names may be one file */
    ASKED_GLOB,    /* the paths that a pattern matches */
    ASKED_MACHINE, /* GPU, driver and CPU model (machine.h) */
    ASKED_KINDS,
} Asked;

typedef struct Stamp {
    uint64_t device, inode, size, links, mode;
    int64_t changed_ns, modified_ns;
} Stamp;

typedef struct Answer {
    uint32_t asked;
    int32_t error;    /* errno; 0 = none */
    uint64_t settled; /* 1: the same stamp proves the same bytes; 0: the file was too young, compare the bytes */
    Stamp stamp;
    Digest digest;
} Answer;

typedef struct Inputs {
    Arena *arena;
    Names asked;         /* one key a question: a digit for its kind (Asked), then the path */
    VEC(Answer) answers; /* by id - 1 */
    bool names_only;     /* record which files are asked for, without digests: such a record cannot validate a
                            cached result */
} Inputs;

void inputs_file(Inputs *self, Text path);
void inputs_folder(Inputs *self, Text path);
void inputs_same(Inputs *self, Text path);
void inputs_glob(Inputs *self, const char *pattern);
void inputs_machine(Inputs *self);
/* What stat says is at `path`: S_IFREG, S_IFDIR, ...; 0 = nothing reachable. Recorded unless `self` is NULL. */
uint32_t inputs_kind(Inputs *self, Arena *scratch, Text path);

/* The recorded path of the file with this device and inode; empty where no such file was asked for. */
Text inputs_same_file(const Inputs *self, uint64_t device, uint64_t inode);

/* Asks every question again: do all answers hold? *renewed is set where some hold only because the bytes were
   compared; their stamps have then been updated. */
bool inputs_holds(Inputs *self, bool *renewed);

/* To bytes for a cache file, and back. inputs_unpack takes any bytes; false: they are no such record. */
Text inputs_pack(Arena *result, const Inputs *self);
bool inputs_unpack(Arena *result, Text bytes, Inputs *self);

#endif
