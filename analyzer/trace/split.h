#ifndef SYNCL_SPLIT_H
#define SYNCL_SPLIT_H
/* A Chrome trace taken apart into its events while it is read: {"traceEvents": [EVENT, ...], ...} or [EVENT, ...].
   Only one window of text is held, as large as the largest event. Where an event ends is found here, by brackets and
   quotes; what stands in it is read by yyjson. Fails with one clear line: not JSON, no events, cut off, broken. */
#include "feed.h"
#include <yyjson.h>

typedef struct Split {
    uint64_t bytes;     /* of text read */
    uint64_t events;    /* objects handed on */
    uint64_t odd;       /* elements that are no objects */
    bool from_torch;    /* a key that torch.profiler writes beside the events was seen */
    bool distributed;   /* distributedInfo: one rank of several */
    uint32_t rank;      /* which */
} Split;

/* event: an object, valid during the call. */
typedef void EventTaker(void *context, yyjson_val *event);

bool split_events(Arena *arena, Feed *feed, const char *path, EventTaker *take, void *context, Split *split,
                  Text *error);

#endif
