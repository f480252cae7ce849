#ifndef SYNCL_ORDER_H
#define SYNCL_ORDER_H
/* Happens-before along one path through the program: what has happened since each time point, such as GPU work
   queued, fences passed, streams told to wait. A value: copied where paths part, joined where they meet.
   Bounded: what does not fit is forgotten, and then nothing is reported about it. */
#include "calls.h"

enum { ORDER_LIVE = 40, ORDER_PAIRS = 48, ORDER_STREAMS = 8 };

typedef struct OrderPlace {
    FileId file; /* 0 = none */
    ExprId expr;
} OrderPlace;

/* What has happened since a time point. */
typedef struct Since {
    ObjectId point;
    ObjectId stream;    /* the stream it was on */
    uint8_t work, tail; /* Confidence that GPU work was queued: since the point, and since the last fence */
    bool heavy, fenced, looped;
    bool far; /* through a loop so long that a launch queue's depth is negligible */
    /* at the point: heavy work was queued; no heavy work had run yet; inside a loop */
    bool queued, cold, inside;
    OrderPlace fence;     /* the synchronisation right before the point */
    uint32_t number; /* points are numbered in order */
} Since;

typedef struct Pair { /* the state when `to` was reached */
    ObjectId to;
    OrderPlace fence; /* right before `to` */
    Since since;
} Pair;

/* Two clock readings that some expression subtracts; only such pairs are tracked. */
typedef struct Wanted {
    ObjectId from, to;
} Wanted;

typedef struct WantedPairs {
    VEC(Wanted) items;
} WantedPairs;

typedef struct StreamOrder {
    ObjectId stream;
    bool unordered; /* work was queued on it since others were told to wait for it */
    bool ordered; /* they were told so at some time: a prefetcher queues the next batch after the wait for this one */
    bool used;        /* one of its tensors was used on another stream, and the host has not waited since */
    bool kept, turns; /* kept: record_stream was seen; turns: it waits for others itself */
    OrderPlace by;         /* the host synchronisation that ordered it */
    OrderPlace use;        /* of `used` */
} StreamOrder;

typedef struct Order {
    uint32_t live_count, pair_count, stream_count;
    uint32_t number; /* number of the last point */
    uint32_t fences; /* number of fences passed */
    uint8_t queued;  /* work not waited for yet: 0 none, 1 some, 2 heavy */
    bool warm;
    bool first_turn; /* in the first iteration of an enclosing loop: work queued before it recurs in none */
    OrderPlace fence;     /* the last synchronisation, if nothing was queued since */
    StreamOrder
        streams[ORDER_STREAMS]; /* arrays last: mostly empty, and order_copy leaves out what is not used */
    Since live[ORDER_LIVE];
    Pair pairs[ORDER_PAIRS];
} Order;

void order_copy(Order *into, const Order *other);              /* into: may be anything before */
void order_join(Order *into, const Order *other, bool fenced); /* fenced: a fence on the other path counts */
void order_work(Order *order, Confidence sure, bool heavy, ObjectId stream);
void order_fence(Order *order, ObjectId stream, bool explicit_, OrderPlace place);
void order_doubt(Order *order); /* the host may have waited */
/* A call that was not followed: it may have waited. Heavy work is then still running likely at most, light work
   possibly. */
void order_unseen(Order *order);
void order_start(Order *order, ObjectId point, ObjectId stream, bool inside);
/* Pairs it with the live readings that it is wanted with, then starts it. */
void order_reading(Order *order, ObjectId clock, bool inside, const WantedPairs *wanted);
Since *order_since(Order *order, ObjectId point);
const Pair *order_pair(const Order *order, ObjectId from, ObjectId to);
StreamOrder *order_stream(Order *order, ObjectId stream); /* NULL when there are too many */

#endif
