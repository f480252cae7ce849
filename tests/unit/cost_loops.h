#ifndef SYNCL_TEST_COST_LOOPS_H
#define SYNCL_TEST_COST_LOOPS_H
/* For tests of prices: loops written as event lists, and a profile of round numbers without spread. */
#include "cost.h"
#include <stdlib.h>

enum { LOOP_EVENTS = 20000, LOOP_SITES = 4000 };

typedef struct TestLoop {
    Arena arena;
    Event *events;
    Site *sites;
    uint32_t event_count, site_count; /* site_count with the unused 0 */
    HotLoop loops[2];
    Profile profile;
    CostOptions options;
    Costs *costs;
} TestLoop;

static inline Quantity exactly(double value) { return (Quantity){value, value, value, 1}; }

/* Launches 20 us each (backward 20, optimizer 10), backward starts in 100, an optimizer step in 50; a launch arrives
   after 10; a read takes 12 when ready, else 5 of wake-up and 3 of read-back. GPU time is `ratio` times the time to
   queue the loop's own operations, under every scenario. */
static inline Profile round_profile(double ratio) {
    Profile profile = *profile_builtin();
#define QUANTITY(name, unit, middle, low, high, meaning) profile.name = exactly(middle);
#include "../../calib/profile.def"
#undef QUANTITY
    profile.launch_us = profile.backward_launch_us = exactly(20);
    profile.optimizer_launch_us = exactly(10);
    profile.backward_start_us = exactly(100);
    profile.optimizer_start_us = exactly(50);
    profile.backward_end_us = exactly(0);
    profile.backward_first_us = exactly(20);
    profile.cold_behind_us = exactly(500);
    profile.optimizer_tensor_us = profile.optimizer_each_us = exactly(0);
    profile.turn_start_us = profile.loader_us = exactly(0);
    profile.launch_latency_us = exactly(10);
    profile.item_us = profile.item_again_us = exactly(12);
    profile.wake_up_us = exactly(5);
    profile.read_back_us = exactly(3);
    profile.torch_device_sync_us = exactly(7);
    profile.torch_stream_sync_us = exactly(3.7);
    profile.torch_event_sync_us = exactly(4.7);
    profile.print_scalar_us = exactly(400);
    profile.gpu_share_host_bound = profile.gpu_share_balanced = profile.gpu_share_gpu_bound = exactly(ratio);
    return profile;
}

static inline TestLoop *loop_new(Profile profile) {
    TestLoop *loop = calloc(1, sizeof *loop);
    loop->events = calloc(LOOP_EVENTS, sizeof *loop->events);
    loop->sites = calloc(LOOP_SITES, sizeof *loop->sites);
    loop->site_count = 1;
    loop->profile = profile;
    loop->loops[1].unit = UNIT_STEP;
    return loop;
}

static inline void loop_free(TestLoop *loop) {
    arena_free(&loop->arena);
    free(loop->events);
    free(loop->sites);
    free(loop);
}

static inline void loop_add(TestLoop *loop, Event event) {
    if (event.share <= 0) event.share = 1;
    loop->events[loop->event_count++] = event;
}

static inline void loop_event(TestLoop *loop, EventKind kind, double count) {
    loop_add(loop, (Event){.kind = kind, .count = count});
}

static inline void loop_operations(TestLoop *loop, double count, double lengthy, double backward) {
    loop_add(loop, (Event){.kind = EVENT_OPS, .count = count, .matmuls = lengthy, .backward = backward});
}

/* A certain, avoidable `.item()` each step, without an event. */
static inline SiteId loop_site(TestLoop *loop) {
    loop->sites[loop->site_count] = (Site){.confidence = CONFIDENCE_CERTAIN,
                                           .level = LEVEL_WARNING,
                                           .need = NEED_AVOIDABLE,
                                           .entry = {"torch.Tensor.item", 17},
                                           .waits = 1,
                                           .loop = 1,
                                           .frequency = {.unit = UNIT_STEP, .times = 1, .every = 1}};
    return loop->site_count++;
}

static inline SiteId loop_read(TestLoop *loop) {
    SiteId site = loop_site(loop);
    loop_add(loop, (Event){.kind = EVENT_WAIT, .site = site, .count = 1});
    return site;
}

/* Prices what was built; gives site 1's cost. */
static inline const SiteCost *loop_price(TestLoop *loop) {
    Findings findings = {0};
    loop->loops[1].events = loop->events, loop->loops[1].event_count = loop->event_count;
    findings.sites.items = loop->sites, findings.sites.count = loop->site_count;
    findings.loops.items = loop->loops, findings.loops.count = 2;
    loop->costs = cost_findings(&loop->arena, &findings, &loop->profile, &loop->options);
    return &loop->costs->sites[1];
}

#endif
