#include "queue.h"

static void drop_oldest(Queue *queue) {
    queue->pending -= queue->batches[queue->head].launches;
    queue->head = (queue->head + 1) % QUEUE_BATCHES;
    if (--queue->count == 0) queue->pending = 0; /* removes rounding drift */
}

/* The time when so many of the oldest launches are done. */
static double done_us(Queue *queue, double launches) {
    double time_us = 0;
    while (launches > 0 && queue->count) {
        Batch *oldest = &queue->batches[queue->head];
        if (oldest->launches > launches) {
            double part = launches / oldest->launches;
            time_us = oldest->start_us + (oldest->end_us - oldest->start_us) * part;
            oldest->start_us = time_us;
            oldest->launches -= launches, queue->pending -= launches;
            break;
        }
        launches -= oldest->launches;
        time_us = oldest->end_us;
        drop_oldest(queue);
    }
    return time_us;
}

double queue_room(Queue *queue, double now_us, double limit, double launches) {
    double stall_us = 0;
    while (queue->count && queue->batches[queue->head].end_us <= now_us) drop_oldest(queue);
    if (queue->pending + launches > limit) stall_us = done_us(queue, queue->pending + launches - limit);
    if (queue->count < QUEUE_BATCHES) return stall_us;
    double free_us = done_us(queue, queue->batches[queue->head].launches);
    return free_us > stall_us ? free_us : stall_us;
}

static void delay(Batch *batches, uint32_t first, uint32_t end, double by_us) {
    for (uint32_t i = first; i < end; i++) batches[i].start_us += by_us, batches[i].end_us += by_us;
}

void queue_delay(Queue *queue, double by_us) {
    uint32_t end = queue->head + queue->count;
    delay(queue->batches, queue->head, end < QUEUE_BATCHES ? end : QUEUE_BATCHES, by_us);
    if (end > QUEUE_BATCHES) delay(queue->batches, 0, end - QUEUE_BATCHES, by_us);
}
