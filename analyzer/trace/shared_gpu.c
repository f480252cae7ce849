#include "shared_gpu.h"
#include "median.h"
#include <math.h>

static const double least_late_us = 100; /* longer than anything that the driver or the recording causes, */
static const double least_copy_us =
    500; /* except a copy from pageable memory, which is staged within its call */
static const double least_cut_us = 300;
static const double considerable = 0.02; /* fraction of the window below which nothing is reported */

/* ---- before works ---- */

/* How long work started after it could have; 0 = the delay is explained without another program. */
static double late_us(const RunCall *call, const TraceWork *first, double idle_since_us) {
    bool within = call->wait || first->kind != WORK_KERNEL;
    double queued_us = within ? call->start_us : fmin(call->call->end_us, first->start_us);
    double us = first->start_us - fmax(idle_since_us, queued_us);
    return us > (within ? least_copy_us : least_late_us) ? us : 0;
}

/* A stream that waits for an event of another stream may be delayed by that. */
static double find_late(TracedRun *run) {
    double end_us[RUN_STREAMS], sum_us = 0;
    bool held = false;
    for (uint32_t i = 0; i < RUN_STREAMS; i++) end_us[i] = INFINITY;
    for (uint32_t i = 0; i < run->count; i++) {
        RunCall *call = &run->calls[i];
        held |= call->call->kind == CALL_STREAM_WAITS && run->streams > 1;
        if (!call->links) continue;
        if (!held)
            call->late_us = late_us(call, trace_linked(run->trace, call->first_link), end_us[call->stream]);
        end_us[call->stream] = trace_linked(run->trace, call->first_link + call->links - 1)->end_us;
        sum_us += call->late_us, held = false;
    }
    return sum_us;
}

/* ---- within works ---- */

static double works_us(const TracedRun *run, const RunCall *call) {
    double sum_us = 0;
    for (uint32_t k = 0; k < call->links; k++) {
        const TraceWork *work = trace_linked(run->trace, call->first_link + k);
        sum_us += work->end_us - work->start_us;
    }
    return sum_us;
}

/* The first calls of the steps that have the most common number of calls. */
static uint32_t usual_steps(const TracedRun *run, uint32_t *steps, uint32_t *calls) {
    Arena scratch = {0};
    uint32_t *firsts = arena_new(&scratch, uint32_t, run->steps + 1);
    uint32_t *counts = arena_new(&scratch, uint32_t, run->steps + 1), most = 0, found = 0;
    for (uint32_t i = run->count; i-- > 0;) firsts[run->calls[i].step] = i, counts[run->calls[i].step]++;
    for (uint32_t step = 0; step < run->steps; step++) {
        uint32_t alike = 0;
        for (uint32_t other = 0; other < run->steps; other++) alike += counts[other] == counts[step];
        if (alike > most) most = alike, *calls = counts[step];
    }
    for (uint32_t step = 0; step < run->steps; step++)
        if (counts[step] == *calls) steps[found++] = firsts[step];
    arena_free(&scratch);
    return found;
}

/* Work interrupted by another program takes longer than at the same place of most steps. */
static double find_cut(TracedRun *run) {
    Arena scratch = {0};
    uint32_t *steps = arena_new(&scratch, uint32_t, run->steps + 1), calls = 0;
    double *took_us = arena_new(&scratch, double, run->steps + 1), sum_us = 0;
    uint32_t count = usual_steps(run, steps, &calls);
    for (uint32_t place = 0; place < calls && count > 2; place++) {
        for (uint32_t i = 0; i < count; i++) took_us[i] = works_us(run, &run->calls[steps[i] + place]);
        double usual_us = median_of(took_us, count, 0);
        for (uint32_t i = 0; i < count; i++) {
            RunCall *call = &run->calls[steps[i] + place];
            double more_us = works_us(run, call) - usual_us;
            if (more_us > least_cut_us) sum_us += call->cut_us = more_us;
        }
    }
    arena_free(&scratch);
    return sum_us;
}

void shared_gpu_find(TracedRun *run) {
    double late_us = find_late(run);
    bool shared = late_us > considerable * (run->to_us - run->from_us);
    for (uint32_t i = 0; i < run->count && !shared; i++) run->calls[i].late_us = 0;
    if (shared) run->shared_us = (late_us + find_cut(run)) / run->steps;
}
