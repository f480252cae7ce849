#include "stream_order.h"

enum { RECORDS = 4, NEAR_CALLS = 600, ORDINALS = 64 };

static const double slack_us = 1.0, tight_us = 15.0;

/* A candidate for one cudaStreamWaitEvent: stream `held` waits for what `done` had queued before the back-th
   last record. */
typedef struct Reading {
    uint32_t back;
    uint16_t done, held;
} Reading;

static uint32_t record_before(const TracedRun *run, uint32_t wait, uint32_t back) {
    for (uint32_t i = wait; i-- > 0;)
        if (run->calls[i].call->kind == CALL_RECORD && --back == 0) return i + 1;
    return 0;
}

/* The end of the latest work on a stream that was queued before a call; negative = none is near. */
static double end_before(const TracedRun *run, uint32_t call, uint16_t stream) {
    for (uint32_t i = call, steps = 0; i-- > 0 && steps < NEAR_CALLS; steps++)
        if (run->calls[i].links && run->calls[i].stream == stream)
            return trace_linked(run->trace, run->calls[i].first_link + run->calls[i].links - 1)->end_us;
    return -1;
}

static const RunCall *next_on(const TracedRun *run, uint32_t call, uint16_t stream) {
    for (uint32_t i = call + 1; i < run->count && i < call + NEAR_CALLS; i++)
        if (run->calls[i].links && run->calls[i].stream == stream) return &run->calls[i];
    return NULL;
}

/* -1: the times contradict it; 1: the held stream started just when the other was done; 0: neither. */
static int agrees(const TracedRun *run, uint32_t wait, Reading reading) {
    uint32_t record = record_before(run, wait, reading.back);
    const RunCall *next = next_on(run, wait, reading.held);
    double done_us = record ? end_before(run, record - 1, reading.done) : -1;
    if (!next || done_us < 0) return 0;
    double start_us = trace_linked(run->trace, next->first_link)->start_us;
    double before_us = end_before(run, wait, reading.held);
    if (start_us < done_us - slack_us) return -1;
    bool free = before_us < start_us - tight_us && next->call->end_us < start_us - tight_us;
    return free && start_us - done_us < tight_us;
}

/* Scores a candidate for the n-th such call of each step, over all steps. */
static int score(const TracedRun *run, const uint32_t *waits, uint32_t count, Reading reading) {
    int tight = 0;
    for (uint32_t i = 0; i < count; i++) {
        int agreed = agrees(run, waits[i], reading);
        if (agreed < 0) return -1;
        tight += agreed;
    }
    uint32_t record = record_before(run, waits[count - 1], reading.back);
    const RunCall *after = &run->calls[waits[count - 1]];
    while (after + 1 < run->calls + run->count && !after->links) after++;
    bool latest = record && run->calls[record - 1].stream == reading.done;
    return 1 + 16 * tight + 4 * latest + 2 * (after->links && after->stream == reading.held) +
           (reading.back == 1 ? 3 : 0);
}

static void apply(TracedRun *run, const uint32_t *waits, uint32_t count, Reading reading) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t record = record_before(run, waits[i], reading.back);
        run->calls[waits[i]].stream = reading.held;
        run->calls[waits[i]].record = record;
        if (record) run->calls[record - 1].stream = reading.done;
    }
}

static void read_best(TracedRun *run, const uint32_t *waits, uint32_t count) {
    Reading best = {0};
    int most = 0;
    for (uint32_t back = 1; back <= RECORDS; back++)
        for (uint16_t done = 0; done < run->streams; done++)
            for (uint16_t held = 0; held < run->streams; held++) {
                Reading reading = {back, done, held};
                int scored = done == held ? -1 : score(run, waits, count, reading);
                if (scored > most) most = scored, best = reading;
            }
    for (uint32_t i = 0; i < count && most <= 0; i++) run->calls[waits[i]].record = 0;
    if (most > 0) apply(run, waits, count, best);
}

void stream_order_find(TracedRun *run) {
    Arena scratch = {0};
    uint32_t(*waits)[64] = (uint32_t(*)[64])arena_alloc(&scratch, sizeof(uint32_t[ORDINALS][64]));
    uint32_t counts[ORDINALS] = {0}, ordinal = 0, step = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->calls[i].step != step) ordinal = 0, step = run->calls[i].step;
        if (run->calls[i].call->kind != CALL_STREAM_WAITS) continue;
        run->calls[i].record = 0;
        if (ordinal < ORDINALS && counts[ordinal] < 64) waits[ordinal][counts[ordinal]++] = i;
        ordinal++;
    }
    for (uint32_t i = 0; i < ORDINALS && run->streams > 1; i++)
        if (counts[i]) read_best(run, waits[i], counts[i]);
    arena_free(&scratch);
}
