#ifndef SYNCL_FOLLOW_H
#define SYNCL_FOLLOW_H
/* Infers each part of a program on its own, parts in parallel, and gathers their findings into those of the
   whole. The output does not depend on the number of threads. */
#include "infer.h"
#include "kept_findings.h"
#include "size.h"

typedef struct Followed {
    const Inference **parts; /* what --dump shows, each with the ids of its own program, ordered by first file; an item
                                is NULL where the cache had the findings */
    uint32_t count;
    const Findings *findings; /* of the whole program, with its ids */
} Followed;

typedef struct FollowOptions {
    uint32_t threads;   /* 0 = as many as team_cores says; each thread, the caller's too, may need FOLLOW_STACK
                           bytes of stack */
    Confidence told;    /* see sites_find */
    SizeOptions sizes;  /* shapes that the user states */
    const Cache *cache; /* findings of earlier runs; NULL = no cache */
    bool dumped;        /* keep the inferences, for a dump */
} FollowOptions;

enum { FOLLOW_STACK = 1 << 30 };
Followed follow_parts(Arena *result, const Program *whole, const Rulebook *book, const FollowOptions *options);

#endif
