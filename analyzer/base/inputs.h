#ifndef SYNCL_INPUTS_H
#define SYNCL_INPUTS_H
/* What a run asked of the file system, and what it was told. A run is a function of its command line, its surroundings
   (cache/kept_result.h lists them) and these answers: while all of them hold, so does its result. Files that were looked
   for and not found are answers too.

   Who reads the file system asks here first, then reads; before a result is kept everything is asked again, so that what
   changed in between is noticed. A file whose metadata (device, inode, size, links, mode, both times to the nanosecond)
   is as it was is taken to hold the same bytes, unless it was younger than two seconds when it was asked: then a later
   change may bear the same times, and its bytes are compared. That is git's rule.

   A NULL Inputs writes nothing down. Not for use on several threads at once. */
#include "digest.h"

typedef enum Asked {
    ASKED_FILE,    /* its bytes, or why they cannot be read */
    ASKED_KIND,    /* what is there: nothing, a file, a folder, ... (links are followed) */
    ASKED_FOLDER,  /* the names in it, and of what kind each is (links are not followed) */
    ASKED_SAME,    /* which file it is: what has several names is one file */
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
    uint64_t settled; /* 1: the same stamp means the same bytes */
    Stamp stamp;
    Digest digest;
} Answer;

typedef struct Inputs {
    Arena *arena;
    Names asked;         /* a digit for the question, then the path */
    VEC(Answer) answers; /* by id - 1 */
    bool names_only;     /* which files are asked for, and not for their bytes: nothing can be kept by it */
} Inputs;

void inputs_file(Inputs *self, Text path);
void inputs_folder(Inputs *self, Text path);
void inputs_same(Inputs *self, Text path);
void inputs_glob(Inputs *self, const char *pattern);
void inputs_machine(Inputs *self);
/* What stat says is at `path`: S_IFREG, S_IFDIR, ...; 0 = nothing that can be reached. Written down where `self` is given. */
uint32_t inputs_kind(Inputs *self, Arena *scratch, Text path);

/* The path of a file that was asked for and is this one; empty: none is. */
Text inputs_same_file(const Inputs *self, uint64_t device, uint64_t inode);

/* Asks everything again. `renewed`: all answers hold, but by comparing bytes; their stamps are today's now. */
bool inputs_holds(Inputs *self, bool *renewed);

/* As bytes for a file, and back: false where they are no such thing, whatever they are. */
Text inputs_pack(Arena *result, const Inputs *self);
bool inputs_unpack(Arena *result, Text bytes, Inputs *self);

#endif
