#ifndef SYNCL_ORDER_H
#define SYNCL_ORDER_H
/* Order: what has happened since each time point on one way through the program: GPU work queued, fences passed, streams
   told to wait. A value, copied where ways part and joined where they meet. Bounded: what does not fit is forgotten,
   and nothing is said of it. */
#include "calls.h"

enum { ORDER_LIVE = 40, ORDER_PAIRS = 48, ORDER_STREAMS = 8 };

typedef struct Place {
    FileId file; /* 0 = none */
    ExprId expr;
} Place;

/* What has happened since a time point. */
typedef struct Since {
    ObjectId point;
    ObjectId stream;    /* on which it was */
    uint8_t work, tail; /* Confidence that GPU work was queued since, and since the last fence */
    bool heavy, fenced, looped;
    bool far; /* through a loop so long that a queue's depth is small beside it */
    bool queued, cold,
        inside;      /* when it was: heavy work was queued; no heavy work had ever run; inside a loop */
    Place fence;     /* the synchronisation right before it */
    uint32_t number; /* points are numbered as they come */
} Since;

typedef struct Pair { /* as it was when `to` came */
    ObjectId to;
    Place fence; /* right before `to` */
    Since since;
} Pair;

/* Readings that some expression subtracts: no others are paired. */
typedef struct Wanted {
    ObjectId from, to;
} Wanted;

typedef struct WantedPairs {
    VEC(Wanted) items;
} WantedPairs;

typedef struct StreamOrder {
    ObjectId stream;
    bool unordered; /* work was queued there since others were told to wait for it */
    bool
        ordered; /* they were told so at some time: a prefetcher queues the next batch after the wait for this one */
    bool used;        /* a tensor of it was used elsewhere, and the host has not waited since */
    bool kept, turns; /* record_stream was seen; it waits for others itself */
    Place by;         /* the host synchronisation that ordered it */
    Place use;        /* of `used` */
} StreamOrder;

typedef struct Order {
    uint32_t live_count, pair_count, stream_count;
    uint32_t number; /* of the last point */
    uint32_t fences; /* passed */
    uint8_t queued;  /* work not waited for: 0 none, 1 some, 2 heavy */
    bool warm;
    bool first_turn; /* of some loop around: what was queued before it is no turn's habit */
    Place fence;     /* the last synchronisation, when nothing was queued since */
    StreamOrder
        streams[ORDER_STREAMS]; /* arrays last: mostly empty, and order_copy leaves out what is not used */
    Since live[ORDER_LIVE];
    Pair pairs[ORDER_PAIRS];
} Order;

void order_copy(Order *into, const Order *other);              /* into: may be anything before */
void order_join(Order *into, const Order *other, bool fenced); /* fenced: a fence on the other way counts */
void order_work(Order *order, Confidence sure, bool heavy, ObjectId stream);
void order_fence(Order *order, ObjectId stream, bool explicit_, Place place);
void order_doubt(Order *order); /* the host may have waited */
/* A call that nobody follows: it may have waited for what was queued, which is all that is known when that is little. */
void order_unseen(Order *order);
void order_start(Order *order, ObjectId point, ObjectId stream, bool inside);
/* Pairs it with the live readings that it is wanted with, then starts it. */
void order_reading(Order *order, ObjectId clock, bool inside, const WantedPairs *wanted);
Since *order_since(Order *order, ObjectId point);
const Pair *order_pair(const Order *order, ObjectId from, ObjectId to);
StreamOrder *order_stream(Order *order, ObjectId stream); /* NULL when there are too many */

#endif
