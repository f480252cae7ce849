/* The replay engine with round numbers; every expected time is worked out by hand in the comment above it.
   Launch latency is 10 us unless a test says otherwise. */
#include "timeline.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
#define assert_us(actual, expected) assert_near((actual), (expected), #actual, __LINE__)

static void assert_near(double actual, double expected, const char *what, int line) {
    if (fabs(actual - expected) > 1e-6) fail_msg("line %d: %s is %f, not %f", line, what, actual, expected);
}

static Item host(double host_us) { return (Item){.kind = ITEM_HOST, .repeat = 1, .host_us = host_us}; }

static Item launches(double repeat, double host_us, double gpu_us) {
    return (Item){.kind = ITEM_LAUNCH, .repeat = repeat, .host_us = host_us, .gpu_us = gpu_us};
}

/* A read: 12 us when ready, 5 us of wake-up and 3 us of read-back when not. */
static Item wait(uint32_t site) {
    return (Item){
        .kind = ITEM_WAIT_STREAM, .site = site, .repeat = 1, .host_us = 12, .gpu_us = 3, .wake_us = 5};
}

static Item of_site(Item item, uint32_t site) {
    item.site = site;
    return item;
}

static TimelineSetup setup(void) {
    return (TimelineSetup){
        .launch_latency_us = 10, .queue_launches = 1024, .threads = 2, .streams = 2, .events = 2, .sites = 8};
}

static TurnTime replay_in(const TimelineSetup *with, const Item *items, uint32_t count, TimelineChange change,
                          ItemTime *times) {
    Arena arena = {0};
    TurnTime turn = timeline_replay(timeline_new(&arena, with), items, count, change, times);
    arena_free(&arena);
    return turn;
}

static TurnTime replay(const Item *items, uint32_t count, ItemTime *times) {
    TimelineSetup with = setup();
    return replay_in(&with, items, count, (TimelineChange){0}, times);
}

static double without(const Item *items, uint32_t count, uint32_t site) {
    bool removed[8] = {0};
    TimelineSetup with = setup();
    removed[site] = true;
    return replay_in(&with, items, count, (TimelineChange){.removed = removed}, NULL).turn_us;
}

static void test_host_bound(void **state) {
    (void)state;
    /* 10 operations of 20 us on the host, 5 us on the GPU, and 100 us of Python: the host sets the pace. */
    Item items[] = {launches(10, 20, 5), host(100)};
    TurnTime turn = replay(items, COUNT(items), NULL);
    assert_us(turn.turn_us, 300);
    assert_us(turn.host_busy_us, 300);
    assert_us(turn.gpu_busy_us, 50);
}

static void test_gpu_bound(void **state) {
    (void)state;
    /* 10 operations of 20 us on the host, 70 us on the GPU: after the first turn the GPU never starves. */
    Item items[] = {launches(10, 20, 70)};
    TurnTime turn = replay(items, COUNT(items), NULL);
    assert_us(turn.turn_us, 700);
    assert_us(turn.host_busy_us, 200);
    assert_us(turn.gpu_busy_us, 700);
}

static void test_wait_opens_a_gap(void **state) {
    (void)state;
    /* GPU-bound as above with a read at the end. The read is done 5 + 3 after the GPU; the next launch takes 20 on
       the host and 10 to arrive: the GPU is idle for 38. It is then fed a launch each 20 and needs 70: no other gap. */
    Item items[] = {launches(10, 20, 70), wait(1)};
    ItemTime times[2];
    TurnTime turn = replay(items, COUNT(items), times);
    assert_us(turn.turn_us, 738);
    assert_us(times[1].gap_us, 38);
    /* A turn from the read's end: 200 of queueing, then until the end: 738 - 200. */
    assert_us(times[1].blocked_us, 538);
    assert_us(without(items, 2, 1), 700); /* the price is 38, not the 538 it blocks */
}

static void test_wait_before_slow_launches(void **state) {
    (void)state;
    /* Behind the read stand 5 operations of 20 us host and 2 us GPU, then one of 20 and 900. The GPU ends at 0, the
       read at 8, the launches are queued at 28, 48 ... 128; the long one starts at 138 and ends at 1038. Without the
       read a turn is the GPU's 910. */
    Item items[] = {launches(5, 20, 2), launches(1, 20, 900), wait(1)};
    ItemTime times[3];
    assert_us(replay(items, COUNT(items), times).turn_us, 1038);
    assert_us(times[2].gap_us, 38); /* to the first launch only */
    assert_us(without(items, 3, 1), 910);
}

static void test_ready_wait_costs_its_call(void **state) {
    (void)state;
    /* Host-bound: at the read the GPU has 10 + 5 behind the last launch, plus 5 + 3: 23 rather than 12. */
    Item items[] = {launches(10, 20, 5), wait(1), host(100)};
    ItemTime times[3];
    assert_us(replay(items, COUNT(items), times).turn_us, 323);
    assert_us(times[1].blocked_us, 23);
    /* 50 us of Python before the read: the GPU is done, the call alone is left. */
    Item late[] = {launches(10, 20, 5), host(50), wait(1), host(50)};
    assert_us(replay(late, COUNT(late), NULL).turn_us, 312);
}

static void test_second_wait_is_free(void **state) {
    (void)state;
    /* GPU-bound: after the first read, the second one is ready: 12 of host time, which delays the next launch. */
    Item items[] = {launches(10, 20, 70), wait(1), wait(2)};
    assert_us(replay(items, COUNT(items), NULL).turn_us, 750);
    assert_us(without(items, 3, 1), 738);
    assert_us(without(items, 3, 2), 738);
    /* One item with two reads is the same. */
    Item twice[] = {launches(10, 20, 70), wait(1)};
    twice[1].repeat = 2;
    assert_us(replay(twice, 2, NULL).turn_us, 750);
}

static Item cold(double host_us, double stood_us) {
    return (Item){.kind = ITEM_COLD, .repeat = 1, .host_us = host_us, .wake_us = stood_us};
}

static void test_who_stood_longer_is_colder(void **state) {
    (void)state;
    /* The GPU ends at 620, the read at 628; the host called it at 100, took 12 and so stood 516: of 40 us behind a stand of 1,000
       20.64, of 40 behind one of 258 all. */
    Item items[] = {launches(10, 10, 60), wait(1), cold(40, 1000)};
    assert_us(replay(items, 3, NULL).turn_us, 648.64);
    assert_us(without(items, 3, 1), 600);
    items[2].wake_us = 258;
    assert_us(replay(items, 3, NULL).turn_us, 668);
    /* Host-bound: the GPU is done 50 us before the read is called, and nobody stood. */
    Item ready[] = {launches(10, 20, 5), host(50), wait(1), cold(40, 258)};
    assert_us(replay(ready, 4, NULL).turn_us, 262);
    /* Once something is queued the host is warm; a second wait that finds the GPU ready leaves it as cold as it was. */
    Item queued[] = {launches(10, 10, 60), wait(1), launches(1, 10, 1), cold(40, 258), launches(1, 10, 1)};
    assert_us(replay(queued, 5, NULL).turn_us, 648);
    Item twice[] = {launches(10, 10, 60), wait(1), wait(2), cold(40, 258)};
    assert_us(replay(twice, 4, NULL).turn_us, 680);
}

static void test_lost_overlap(void **state) {
    (void)state;
    /* 500 us of loading per turn, 100 of launches, 600 of GPU: overlapped, a turn is 600. With a read after the
       launches nothing overlaps: 500 + 10 (first launch) + 10 + 600 + 8 = 1128. A read between loading and launches
       keeps the overlap: it returns 8 after the GPU's end, the first launch arrives 10 + 10 later: 600 + 28. */
    Item after[] = {host(500), launches(10, 10, 60), wait(1)};
    assert_us(replay(after, 3, NULL).turn_us, 1128);
    assert_us(without(after, 3, 1), 600);
    Item before[] = {host(500), wait(1), launches(10, 10, 60)};
    assert_us(replay(before, 3, NULL).turn_us, 628);
}

static void test_removal_takes_host_work_and_launches(void **state) {
    (void)state;
    /* Site 1: a read, 400 of formatting and 2 launches of 20. Host-bound: 300 without it. */
    Item items[] = {launches(10, 20, 5), host(100), of_site(launches(2, 20, 5), 1), wait(1),
                    of_site(host(400), 1)};
    /* read: the launch before it arrives 10 later and runs 5, plus 8: 23 */
    assert_us(replay(items, COUNT(items), NULL).turn_us, 300 + 40 + 23 + 400);
    assert_us(without(items, COUNT(items), 1), 300);
}

static void test_move_to_end(void **state) {
    (void)state;
    /* Loading behind the read: nothing overlaps, 1128 as in lost_overlap. Moved behind the loading: 628. */
    Item items[] = {launches(10, 10, 60), wait(1), host(500)};
    TimelineSetup with = setup();
    assert_us(replay(items, 3, NULL).turn_us, 1128);
    assert_us(replay_in(&with, items, 3, (TimelineChange){.moved_site = 1}, NULL).turn_us, 628);
}

static void test_queue_bound(void **state) {
    (void)state;
    /* 4 launches fit. 8 launches of 10 host, 100 GPU, then a read on another stream that is empty: without the bound
       it would return at 92; with it the host has to wait until 4 of 8 are done. */
    TimelineSetup with = setup();
    with.queue_launches = 4, with.turns = 1, with.warm_up = 0;
    Item items[] = {launches(8, 10, 100), wait(1)};
    items[1].stream = 1;
    ItemTime times[2];
    TurnTime turn = replay_in(&with, items, 2, (TimelineChange){0}, times);
    /* First work starts at 20; all done at 820. */
    assert_us(turn.turn_us, 820);
    assert_us(times[1].blocked_us, 12);
    /* Host: 4 launches are queued at 40; 2 more need 2 done (220), the last 2 need 4 done (420); then 12. A third
       item tells where the host is: 500 of work end at 932 > 820. */
    Item longer[] = {items[0], items[1], host(500)};
    assert_us(replay_in(&with, longer, 3, (TimelineChange){0}, NULL).turn_us, 932);
    with.queue_launches = 0;
    assert_us(replay_in(&with, longer, 3, (TimelineChange){0}, NULL).turn_us, 820);
}

static void test_endless_run(void **state) {
    (void)state;
    /* Loops in functions that call each other: 9^30 launches are a price like any other, and found at once. The host is
       never more than the queue ahead. */
    TimelineSetup with = setup();
    with.turns = 1, with.warm_up = 0;
    Item items[] = {launches(1e28, 10, 100), wait(1)};
    ItemTime times[2];
    TurnTime turn = replay_in(&with, items, 2, (TimelineChange){0}, times);
    assert_true(fabs(turn.turn_us / 1e30 - 1) < 1e-6);
    assert_true(times[1].blocked_us < 1e30 * 1e-6);
}

static void test_inner_loop(void **state) {
    (void)state;
    /* 100 turns of (2 launches of 20, a read of 23): 63 each. 4 are replayed, 96 extrapolated. */
    Item items[] = {{.kind = ITEM_LOOP, .repeat = 100, .object = 3},
                    launches(2, 20, 5),
                    wait(1),
                    {.kind = ITEM_LOOP_END},
                    host(700)};
    ItemTime times[5];
    assert_us(replay(items, 5, times).turn_us, 7000);
    assert_us(times[2].blocked_us, 2300);
    assert_us(without(items, 5, 1), 4700);
    /* Moved to the end it runs once a turn, ready by then: 4000 + 700 + 12. */
    TimelineSetup with = setup();
    assert_us(replay_in(&with, items, 5, (TimelineChange){.moved_site = 1}, NULL).turn_us, 4712);
    items[0].repeat = 0;
    assert_us(replay(items, 5, NULL).turn_us, 700);
    items[0].repeat = 2.5; /* an average: 2.5 * 63 */
    assert_us(replay(items, 5, NULL).turn_us, 700 + 157.5);
}

static void test_streams_and_events(void **state) {
    (void)state;
    /* A copy of 300 on stream 1 beside compute of 10 * 40 on stream 0, which waits for the copy's event before its
       second half. Host: 20 copy, 10 launches of 10: GPU-bound; nothing makes the host wait.
       Steady: stream 0 is the slower one: 400 a turn, the copy of the next turn runs beside it. */
    Item copy = {.kind = ITEM_LAUNCH, .stream = 1, .repeat = 1, .host_us = 20, .gpu_us = 300};
    Item record = {.kind = ITEM_RECORD, .stream = 1, .object = 0};
    Item waits = {.kind = ITEM_STREAM_WAITS, .stream = 0, .object = 0};
    Item prefetch[] = {launches(5, 10, 40), copy, record, waits, launches(5, 10, 40)};
    TimelineSetup with = setup();
    with.turns = 20, with.warm_up = 10;
    assert_us(replay_in(&with, prefetch, 5, (TimelineChange){0}, NULL).turn_us, 400);
    /* Waiting for the event stops the host until the copy is done, not until stream 0 is: one turn from 0, copy
       queued at 20, runs 30..330; the wait with 5 + 3 ends at 338; 10 launches later (438) the GPU has work until
       338 + 10 + 10 + 400 = 758. */
    Item on_event = wait(1);
    on_event.kind = ITEM_WAIT_EVENT;
    Item blocking[] = {copy, record, on_event, launches(10, 10, 40)};
    ItemTime times[4];
    with.turns = 1, with.warm_up = 0;
    assert_us(replay_in(&with, blocking, 4, (TimelineChange){0}, times).turn_us, 758);
    assert_us(times[2].blocked_us, 318);
    /* A wait for stream 1 alone does not see stream 0; a device wait sees both. */
    Item two[] = {launches(1, 10, 1000), copy, wait(1), host(5)};
    two[2].stream = 1; /* copy queued at 30, runs 40..340, read at 348, host ends at 353; GPU at 1020 */
    replay_in(&with, two, 4, (TimelineChange){0}, times);
    assert_us(times[2].blocked_us, 318);
    two[2].kind = ITEM_WAIT_DEVICE;
    assert_us(replay_in(&with, two, 4, (TimelineChange){0}, times).turn_us, 1033);
}

static void test_threads(void **state) {
    (void)state;
    /* The main thread (0) hands over to the autograd thread (1), which launches, and waits for it:
       100 on 0, then 10 launches of 20 on 1 from 100 on, then 50 on 0: 350 a turn. */
    Item backward = launches(10, 20, 5);
    backward.thread = 1;
    Item begin = {.kind = ITEM_FOLLOWS, .thread = 1, .object = 0}, end = {.kind = ITEM_FOLLOWS, .object = 1};
    Item items[] = {host(100), begin, backward, end, host(50)};
    assert_us(replay(items, 5, NULL).turn_us, 350);
    /* Two independent threads on one GPU overlap: 100 + 50 beside 200. */
    Item apart[] = {host(100), backward, host(50)};
    TimelineSetup with = setup();
    with.turns = 12, with.warm_up = 4;
    assert_us(replay_in(&with, apart, 3, (TimelineChange){0}, NULL).turn_us, 200);
}

static void test_closed_form_is_the_loop(void **state) {
    (void)state;
    /* One item of 50 launches gives the same as 50 items of one, starved, fed and in between. */
    double gpu_us[] = {3, 19, 20, 21, 90};
    for (uint32_t i = 0; i < COUNT(gpu_us); i++) {
        Item one[] = {launches(1, 20, 400), launches(50, 20, gpu_us[i]), wait(1)};
        Item many[52] = {one[0]};
        for (uint32_t k = 1; k <= 50; k++) many[k] = launches(1, 20, gpu_us[i]);
        many[51] = one[2];
        assert_us(replay(one, 3, NULL).turn_us, replay(many, 52, NULL).turn_us);
    }
}

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

static Item any_item(uint32_t *seed, uint32_t site) {
    if (!draw(seed, 8)) return cold(draw(seed, 60), 1 + draw(seed, 100));
    switch (draw(seed, 3)) {
    case 0: return host(draw(seed, 200));
    case 1: return launches(1 + draw(seed, 40), 5 + draw(seed, 20), draw(seed, 40));
    default: return wait(site);
    }
}

/* Waits of sites 1 to 7 among launches, the middle third of the turn in an inner loop; apart: site 7 outside of it only. */
enum { DRAWN = 24 };
static void any_turn(uint32_t *seed, Item *items, bool apart) {
    for (uint32_t i = 0; i < DRAWN; i++)
        items[i] = any_item(seed, !apart ? i % 7 + 1 : i > 8 && i < 15 ? i - 8 : 7);
    items[8] = (Item){.kind = ITEM_LOOP, .repeat = 1 + draw(seed, 9), .object = 15};
    items[15] = (Item){.kind = ITEM_LOOP_END, .repeat = 1};
}

static TimelineRange range_of(const Item *items, uint32_t site) {
    TimelineRange range = {.from = DRAWN, .inner_from = DRAWN};
    for (uint32_t i = 0; i < DRAWN; i++) {
        if (items[i].site != site) continue;
        bool inner = i > 8 && i < 15;
        uint32_t from = inner ? 8 : i, until = inner ? 16 : i + 1;
        if (from < range.from) range.from = from;
        if (until > range.until) range.until = until;
        if (inner && i < range.inner_from) range.inner_from = i;
        if (inner) range.inner_until = i + 1;
    }
    return range;
}

static void test_shift_is_the_whole_replay(void **state) {
    (void)state;
    TimelineSetup with = setup();
    with.threads = with.streams = 1, with.turns = 60, with.warm_up = 50;
    uint32_t seed = 1, told = 0, in_loop = 0;
    for (uint32_t round = 0; round < 600; round++) {
        Arena arena = {0};
        Item items[DRAWN];
        TimelineMark marks[DRAWN], inner[DRAWN * TIMELINE_LOOP_TURNS];
        ItemTime times[DRAWN], whole_times[DRAWN];
        any_turn(&seed, items, round % 2);
        with.queue_launches = round % 3 ? 1024 : 30;
        Timeline *timeline = timeline_new(&arena, &with);
        bool removed[8] = {[7] = true};
        TimelineSteady steady = {.items = items, .count = DRAWN, .marks = marks, .inner = inner};
        timeline_record(timeline, &steady, (TimelineChange){.removed = removed}, times);
        for (uint32_t site = 1; site <= 7; site++) {
            TimelineRange range = range_of(items, site);
            TimelineChange change = {.removed = removed};
            double later_us;
            removed[site] = !removed[site];
            if (range.until && timeline_shift(timeline, &steady, change, range, NULL, &later_us)) {
                in_loop += range.from == 8 && range.until == 16;
                assert_us(steady.turn_us + later_us,
                          timeline_replay(timeline, items, DRAWN, change, NULL).turn_us);
            }
            if (range.until && timeline_shift(timeline, &steady, change, range, times, &later_us)) {
                told++;
                assert_us(steady.turn_us + later_us,
                          timeline_replay(timeline, items, DRAWN, change, whole_times).turn_us);
                for (uint32_t i = 0; i < DRAWN; i++)
                    if (items[i].site == site) assert_us(times[i].blocked_us, whole_times[i].blocked_us);
            }
            removed[site] = !removed[site];
        }
        arena_free(&arena);
    }
    assert_true(told > 1200); /* of 4,200: the others have no other wait, or loops that do not settle */
    assert_true(in_loop > 200);
}

static void test_nothing(void **state) {
    (void)state;
    assert_us(replay(NULL, 0, NULL).turn_us, 0);
    Item none[] = {launches(0, 20, 5), host(0)};
    assert_us(replay(none, 2, NULL).turn_us, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_bound),
        cmocka_unit_test(test_gpu_bound),
        cmocka_unit_test(test_wait_opens_a_gap),
        cmocka_unit_test(test_wait_before_slow_launches),
        cmocka_unit_test(test_ready_wait_costs_its_call),
        cmocka_unit_test(test_second_wait_is_free),
        cmocka_unit_test(test_who_stood_longer_is_colder),
        cmocka_unit_test(test_lost_overlap),
        cmocka_unit_test(test_removal_takes_host_work_and_launches),
        cmocka_unit_test(test_move_to_end),
        cmocka_unit_test(test_queue_bound),
        cmocka_unit_test(test_endless_run),
        cmocka_unit_test(test_inner_loop),
        cmocka_unit_test(test_streams_and_events),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_closed_form_is_the_loop),
        cmocka_unit_test(test_shift_is_the_whole_replay),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
