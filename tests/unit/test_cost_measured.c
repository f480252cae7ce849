/* The loops of facts/README.md and facts/replay.md as event lists, priced with the built-in profile and compared with
   what was measured on the H200. The facts do not give the models' layers, so those here are of a like size: an MLP of
   8 layers with Adam, ResNet-18 with SGD. Noise: the same loop on two occasions differed by 126 us (facts/replay.md:
   +62 and +188), ResNet-18 by 500. The few outside are named, and their number is held, so that it can only fall. */
#include "cost_loops.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

typedef enum Change { FORWARD, BACKWARD, END, THREE, PRINT, MASK, EVERY_TENTH } Change;
typedef enum Model { MLP, RESNET } Model;

typedef struct Measured {
    const char *loop, *change_text;
    Model model;
    double turn_us, gpu_us;
    double front_us; /* known host work behind the optimizer step, measured with the loop */
    Change change;
    double saved_us, noise_us;
} Measured;

static const Measured measured[] = {
    {"mlp_small", "item after forward", MLP, 2276, 333, 0, FORWARD, 125, 126},
    {"mlp_small", "item after backward", MLP, 2276, 333, 0, BACKWARD, 41, 126},
    {"mlp_small", "item at the end", MLP, 2276, 333, 0, END, 56, 126},
    {"mlp_small", "three items", MLP, 2276, 333, 0, THREE, 162, 126},
    {"mlp_small", "print at the end", MLP, 2276, 333, 0, PRINT, 705, 126},
    {"mlp_small", "mask index", MLP, 2276, 333, 0, MASK, 358, 126},
    {"mlp_small", "item every 10", MLP, 2276, 333, 0, EVERY_TENTH, -84, 126},
    {"mlp_wide", "item after forward", MLP, 13645, 12562, 0, FORWARD, 472, 126},
    {"mlp_wide", "item after backward", MLP, 13645, 12562, 0, BACKWARD, 171, 126},
    {"mlp_wide", "item at the end", MLP, 13645, 12562, 0, END, 62, 126},
    {"mlp_wide", "three items", MLP, 13645, 12562, 0, THREE, 349, 126},
    {"mlp_wide", "print at the end", MLP, 13645, 12562, 0, PRINT, 477, 126},
    {"mlp_wide", "mask index", MLP, 13645, 12562, 0, MASK, 517, 126},
    {"mlp_wide", "item every 10", MLP, 13645, 12562, 0, EVERY_TENTH, 58, 126},
    {"resnet18", "item after forward", RESNET, 7198, 2684, 0, FORWARD, 521, 500},
    {"resnet18", "item after backward", RESNET, 7198, 2684, 0, BACKWARD, -42, 500},
    {"resnet18", "item at the end", RESNET, 7198, 2684, 0, END, -228, 500},
    {"resnet18", "three items", RESNET, 7198, 2684, 0, THREE, 822, 500},
    {"resnet18", "print at the end", RESNET, 7198, 2684, 0, PRINT, 792, 500},
    {"resnet18", "mask index", RESNET, 7198, 2684, 0, MASK, 140, 500},
    {"resnet18", "item every 10", RESNET, 7198, 2684, 0, EVERY_TENTH, 1, 500},
    /* replay.md, the second occasion; small loops there at 1.9 ms */
    {"mlp_wide (2)", "item after forward", MLP, 13000, 12562, 0, FORWARD, 669, 126},
    {"mlp_wide (2)", "mask index", MLP, 13000, 12562, 0, MASK, 627, 126},
    {"mlp_wide (2)", "item after backward", MLP, 13000, 12562, 0, BACKWARD, 201, 126},
    {"mlp_wide (2)", "item at the end", MLP, 13000, 12562, 0, END, 188, 126},
    {"mlp_wide (2)", "print at the end", MLP, 13000, 12562, 0, PRINT, 536, 126},
    {"mlp_small (2)", "item after forward", MLP, 1900, 333, 0, FORWARD, 4, 20},
    {"mlp_small (2)", "item at the end", MLP, 1900, 333, 0, END, 4, 20},
    {"mlp_small (2)", "print at the end", MLP, 1900, 333, 0, PRINT, 450, 126},
    /* with 12 ms of host work a step, behind the optimizer step */
    {"mlp_wide + 12 ms", "item after forward", MLP, 15755, 12562, 12562, FORWARD, 2676, 126},
    {"mlp_wide + 12 ms", "item after backward", MLP, 15755, 12562, 12562, BACKWARD, 7189, 126},
    {"mlp_wide + 12 ms", "item at the end", MLP, 15755, 12562, 12562, END, -27, 126},
};
enum { MEASURED = sizeof measured / sizeof measured[0] };

static void add_mlp(TestLoop *loop) {
    for (int layer = 0; layer < 8; layer++) {
        loop_operations(loop, 1, 1, 3);
        loop_operations(loop, 1, 0, 1);
    }
    loop_operations(loop, 3, 0, 3);
}

static void add_resnet(TestLoop *loop) {
    for (int layer = 0; layer < 20; layer++) {
        loop_operations(loop, 1, 1, 3);
        loop_operations(loop, 3, 0, 2);
    }
    loop_operations(loop, 10, 1, 12);
    loop_operations(loop, 3, 0, 3);
}

static void add_mask(TestLoop *loop) {
    SiteId site = loop_site(loop);
    loop->sites[site].backward_waits = 1;
    loop_add(loop, (Event){.kind = EVENT_OPS, .site = site, .count = 3, .backward = 4});
    loop_add(loop, (Event){.kind = EVENT_WAIT, .site = site, .count = 1});
    loop_add(loop, (Event){.kind = EVENT_HOST, .site = site, .count = 1, .quantity = TEXT("compaction")});
}

static void add_print(TestLoop *loop) {
    SiteId site = loop_read(loop);
    loop->events[loop->event_count - 1].count = 8;
    loop_add(loop, (Event){.kind = EVENT_HOST, .site = site, .count = 1, .quantity = TEXT("print_scalar")});
}

static TestLoop *loop_of(const Measured *row) {
    TestLoop *loop = loop_new(*profile_builtin());
    (row->model == MLP ? add_mlp : add_resnet)(loop);
    if (row->change == FORWARD || row->change == THREE) loop_read(loop);
    if (row->change == MASK) add_mask(loop);
    loop_event(loop, EVENT_BACKWARD, 0);
    if (row->change == BACKWARD || row->change == THREE) loop_read(loop);
    loop_event(loop, EVENT_OPTIMIZER, row->model == MLP ? 12 : 20);
    if (row->change == END || row->change == THREE || row->change == EVERY_TENTH) loop_read(loop);
    if (row->change == PRINT) add_print(loop);
    if (row->change == EVERY_TENTH) loop->sites[1].frequency.every = 10;
    if (row->front_us > 0) loop_event(loop, EVENT_HOST, 1); /* NumPy, say: of unknown length */
    return loop;
}

static CostRange price_of(const Measured *row, bool step_time, bool gpu_busy) {
    TestLoop *loop = loop_of(row);
    /* The user's step is the one with the change in it. */
    double turn_us = row->turn_us + fmax(row->saved_us, 0);
    loop->options.step_time_us = step_time ? turn_us : 0;
    loop->options.gpu_busy = gpu_busy ? row->gpu_us / turn_us : 0;
    loop_price(loop);
    CostRange range = loop->costs->loops[1].all;
    loop_free(loop);
    return range;
}

static uint32_t outside(const char *how, bool step_time, bool gpu_busy) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MEASURED; i++) {
        const Measured *row = &measured[i];
        CostRange range = price_of(row, step_time, gpu_busy);
        bool inside =
            row->saved_us + row->noise_us >= range.low_us && row->saved_us - row->noise_us <= range.high_us;
        if (getenv("SYNCL_TABLE"))
            printf("%-16s %-20s %-18s %6.0f..%-6.0f measured %.0f%s\n", how, row->loop, row->change_text,
                   range.low_us, range.high_us, row->saved_us, inside ? "" : " OUTSIDE");
        if (inside) continue;
        count++;
        printf("note: %s: %s, %s: %.0f to %.0f us, measured %.0f\n", how, row->loop, row->change_text,
               range.low_us, range.high_us, row->saved_us);
    }
    return count;
}

static void test_nothing_known(void **state) {
    (void)state;
    assert_true(outside("static alone", false, false) <= 0);
}

static void test_step_time(void **state) {
    (void)state;
    assert_true(outside("--step-time", true, false) <= 0);
}

static void test_step_time_and_share(void **state) {
    (void)state;
    /* resnet18, three items: 7.2 ms and a GPU that is busy for a third of them are more host work than is counted, and what
       only that would explain does not widen the price from the count. */
    assert_true(outside("--step-time and --gpu-busy", true, true) <= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_step_time),
        cmocka_unit_test(test_step_time_and_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
