#ifndef SYNCL_FOLLOW_H
#define SYNCL_FOLLOW_H
/* Values and calls are followed in each part of a program for itself, parts at the same time; what is found in them comes
   together as the findings of the whole. The output does not depend on how many threads there are. */
#include "infer.h"
#include "kept_findings.h"
#include "size.h"

typedef struct Followed {
    const Inference **parts; /* of what is dumped, by their first files; ids are those of the part's own program; NULL = the
                                cache knew it */
    uint32_t count;
    const Findings *findings; /* of the whole, in its ids */
} Followed;

typedef struct FollowOptions {
    uint32_t threads;   /* 0 = as many as team_cores says; each may need FOLLOW_STACK bytes, as may the caller's */
    Confidence told;    /* see sites_find */
    SizeOptions sizes;  /* what the user tells of shapes */
    const Cache *cache; /* where findings of earlier runs are; NULL = nowhere */
    bool dumped;        /* what was inferred is kept beside the findings */
} FollowOptions;

enum { FOLLOW_STACK = 1 << 30 };
Followed follow_parts(Arena *result, const Program *whole, const Rulebook *book, const FollowOptions *options);

#endif
