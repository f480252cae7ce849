#ifndef SYNCL_SPLIT_H
#define SYNCL_SPLIT_H
/* Splits a Chrome trace into events while it is read: {"traceEvents": [EVENT, ...], ...} or [EVENT, ...]. Holds
   only a window of the text, as large as the largest event. The end of an event is found here, by brackets and
   quotes; its contents are parsed by yyjson. Fails with one clear line: not JSON, no events, cut off, broken. */
#include "feed.h"
#include <yyjson.h>

typedef struct Split {
    uint64_t bytes;     /* of text read */
    uint64_t events;    /* objects passed on */
    uint64_t odd;       /* elements that are no objects */
    bool from_torch;    /* a key that torch.profiler writes beside the events was seen */
    bool distributed;   /* it has distributedInfo: one rank of several */
    uint32_t rank;      /* of distributedInfo */
} Split;

/* event: an object, valid during the call only. */
typedef void EventTaker(void *context, yyjson_val *event);

bool split_events(Arena *arena, Feed *feed, const char *path, EventTaker *take, void *context, Split *split,
                  Text *error);

#endif
