#ifndef SYNCL_QUEUE_H
#define SYNCL_QUEUE_H
/* The launches that are pending on a stream, in batches. Private to the replay engine (timeline.h), whose inner loop this is. */
#include <stdint.h>

/* Launches queued together: they end evenly spread over (start_us, end_us]. */
typedef struct Batch {
    double launches, start_us, end_us;
} Batch;

enum { QUEUE_BATCHES = 1024 }; /* a power of two, so that the ring's modulo is cheap */

typedef struct Queue {
    Batch *batches; /* [QUEUE_BATCHES], a ring */
    uint32_t head, count;
    double pending; /* launches in the batches, some of which may be done already */
} Queue;

/* Makes room for so many launches; gives when the thread can queue them, 0 = now. */
double queue_room(Queue *queue, double now_us, double limit, double launches);
void queue_delay(Queue *queue, double by_us); /* everything pending starts and ends so much later */

static inline void queue_clear(Queue *queue) {
    queue->head = queue->count = 0, queue->pending = 0;
}

/* Queues a batch; gives when the thread can go on. Looks for finished launches only where the queue may be full. */
static inline double queue_push(Queue *queue, double now_us, double limit, Batch batch) {
    double stall_us = 0;
    if (queue->pending + batch.launches > limit || queue->count == QUEUE_BATCHES)
        stall_us = queue_room(queue, now_us, limit, batch.launches);
    queue->batches[(queue->head + queue->count++) % QUEUE_BATCHES] = batch;
    queue->pending += batch.launches;
    return stall_us;
}

#endif
