/* Prices with a profile of round numbers; every expected price is worked out by hand in the comment above it. */
#include "cost_text.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "cost_steps.h"

static void assert_price(Profile profile, Place place, double us) {
    TestLoop *loop = training(profile, place);
    const SiteCost *cost = loop_price(loop);
    assert_range(cost->per_turn, us);
    assert_range(cost->per_execution, us);
    assert_true(cost->has_per_turn);
    assert_range(loop->costs->loops[1].all, us);
    assert_range(loop->costs->loops[1].avoidable, us);
    loop_free(loop);
}

static void test_three_places(void **state) {
    (void)state;
    /* GPU-bound, 5 * 850 = 4250 over 40 operations = 106.25 each. The read is done 5 + 3 after the GPU; then the
       first launch must come: after forward 100 + 20 + 10; after backward 50 + 10 + 10; at the end 20 + 10. */
    assert_price(round_profile(5), AFTER_FORWARD, 138);
    assert_price(round_profile(5), AFTER_BACKWARD, 78);
    assert_price(round_profile(5), AT_END, 38);
}

/* Each of two reads in a row only moves the wait to the other, and costs all of it where the other is mended; beside one that
   stays it costs its own 12 whatever is done. A read that stays costs what it would gain besides. */
static void test_what_a_wait_adds_to_the_others(void **state) {
    (void)state;
    const double alone_us[] = {38, 12};
    for (int stays = 0; stays < 2; stays++) {
        TestLoop *loop = training(round_profile(5), AT_END);
        SiteId second = loop_read(loop);
        if (stays) loop->sites[second].need = NEED_NEEDED;
        loop_price(loop);
        assert_range(loop->costs->sites[1].per_turn, 12);
        assert_range(loop->costs->sites[1].marginal, alone_us[stays]);
        assert_range(loop->costs->sites[second].marginal, 38);
        assert_string_equal(cost_text_paid(&loop->costs->sites[1]),
                            stays ? "a wait that stays stands right behind it"
                                  : "a wait stands right behind it: remove both");
        loop_free(loop);
    }
}

static void test_doubled_launch_cost_moves_all(void **state) {
    (void)state;
    /* Launches of 40 and 40 and 20: 8 + 100 + 40 + 10; 8 + 50 + 20 + 10; 8 + 40 + 10. */
    Profile profile = round_profile(5);
    profile.launch_us = profile.backward_launch_us = exactly(40);
    profile.optimizer_launch_us = exactly(20);
    assert_price(profile, AFTER_FORWARD, 158);
    assert_price(profile, AFTER_BACKWARD, 88);
    assert_price(profile, AT_END, 58);
}

/* Behind a wait ten operations of the backward pass take 30 more each, and the optimizer 7 more for each of 60 parameter
   tensors; without a wait right before they take nothing more. */
static void test_a_host_that_stood_still_starts_slower(void **state) {
    (void)state;
    Profile profile = round_profile(5);
    profile.backward_first_us = exactly(50);
    profile.optimizer_tensor_us = exactly(7);
    const double price_us[] = {[AFTER_FORWARD] = 138 + 300, [AFTER_BACKWARD] = 78 + 420, [AT_END] = 38};
    const Workload sixty = {.tensors = {60, 60}};
    for (int place = AFTER_FORWARD; place <= AT_END; place++) {
        TestLoop *loop = training(profile, (Place)place);
        for (uint32_t i = 0; i < loop->event_count; i++)
            if (loop->events[i].kind == EVENT_OPTIMIZER) loop->events[i].work = &sixty;
        loop_price(loop);
        assert_range(loop->costs->loops[1].all, price_us[place]);
        loop_free(loop);
    }
    /* Unknown tensors: two and a half for each long operation. */
    TestLoop *loop = loop_new(profile);
    loop_operations(loop, 10, 8, 20);
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_read(loop);
    loop_event(loop, EVENT_OPTIMIZER, 10);
    assert_us(loop_price(loop)->per_turn.low_us, 78 + 7 * 20);
    loop_free(loop);
}

/* Each operation of the optimizer takes 1 us more for each parameter tensor beyond twenty, whether the host has waited or not. */
static void test_many_tensors_slow_the_optimizer(void **state) {
    (void)state;
    Profile profile = round_profile(5);
    profile.optimizer_each_us = exactly(1);
    const Workload sixty = {.tensors = {60, 60}}, ten = {.tensors = {10, 10}};
    const struct {
        const Workload *work;
        double price_us[3], host_us;
    } cases[] = {{&ten, {138, 78, 38}, 850}, {&sixty, {138, 78 + 40, 38}, 850 + 10 * 40}};
    for (uint32_t i = 0; i < 2; i++)
        for (int place = AFTER_FORWARD; place <= AT_END; place++) {
            TestLoop *loop = training(profile, (Place)place);
            for (uint32_t event = 0; event < loop->event_count; event++)
                if (loop->events[event].kind == EVENT_OPTIMIZER) loop->events[event].work = cases[i].work;
            loop_price(loop);
            assert_range(loop->costs->loops[1].all, cases[i].price_us[place]);
            assert_range(loop->costs->loops[1].host, cases[i].host_us + 12);
            loop_free(loop);
        }
}

static void test_host_bound(void **state) {
    (void)state;
    /* 0.16 * 850 = 136 over 40: 3.4 each. Behind the last launch lie 10 of flight, 3.4 of work, 5 + 3: 21.4. */
    assert_price(round_profile(0.16), AFTER_FORWARD, 21.4);
    assert_price(round_profile(0.16), AFTER_BACKWARD, 21.4);
    assert_price(round_profile(0.16), AT_END, 21.4);
}

static void test_range_over_scenarios(void **state) {
    (void)state;
    /* From host-bound (0.16) to GPU-bound (5): both ends as above. Blocked: in the GPU-bound one the host reaches
       the read 100 + 400 + 50 + 100 + 200 = 850 less 0 after the last read's end and waits until 4250 + 138. */
    Profile profile = round_profile(5);
    profile.gpu_share_host_bound = profile.gpu_share_balanced = exactly(0.16);
    TestLoop *loop = training(profile, AFTER_FORWARD);
    const SiteCost *cost = loop_price(loop);
    assert_us(cost->per_turn.low_us, 21.4);
    assert_us(cost->per_turn.high_us, 138);
    assert_us(cost->blocked.low_us, 21.4);
    assert_us(cost->blocked.high_us, 4250 + 138 - 850);
    assert_string_equal(cost->text.bytes,
                        "about 21 to 140 us per training step; the line itself blocks up to 3.5 ms, most "
                        "of which the GPU needs anyway");
    loop_free(loop);
}

static void test_second_read_is_nearly_free(void **state) {
    (void)state;
    /* Two reads in a row after the forward pass: removing one saves its 12; removing both 138 + 12. */
    TestLoop *loop = loop_new(round_profile(5));
    loop_operations(loop, 10, 0, 20);
    loop_read(loop);
    loop_read(loop);
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_event(loop, EVENT_OPTIMIZER, 10);
    loop_price(loop);
    assert_range(loop->costs->sites[1].per_turn, 12);
    assert_range(loop->costs->sites[2].per_turn, 12);
    assert_range(loop->costs->loops[1].all, 150);
    loop->sites[2].need = NEED_NEEDED;
    loop_price(loop);
    assert_range(loop->costs->loops[1].avoidable, 12);
    assert_range(loop->costs->loops[1].all, 150);
    /* A wait that may not be one takes nothing off the sure one, and is priced on top of it. */
    loop->sites[2].confidence = CONFIDENCE_POSSIBLE;
    loop_price(loop);
    assert_range(loop->costs->sites[1].per_turn, 138);
    assert_range(loop->costs->sites[2].per_turn, 12);
    assert_range(loop->costs->loops[1].all, 138);
    loop_free(loop);
}

static void assert_remedies(const SiteCost *cost, const char *text) {
    assert_string_equal(cost->remedy_text.length ? cost->remedy_text.bytes : "", text);
}

static void test_remedies(void **state) {
    (void)state;
    /* GPU-bound: 138 behind the forward pass, 38 at the end of the step (test_three_places). */
    TestLoop *loop = training(round_profile(5), AFTER_FORWARD);
    const SiteCost *cost = loop_price(loop);
    assert_us(cost->remedies.of_us, 138);
    assert_us(cost->remedies.moved_us, 100);
    assert_us(cost->remedies.merged_us, 0);
    assert_us(cost->remedies.seldom_us, 138 * 0.99);
    assert_remedies(cost, "reading it at the end of the training step saves 100 of 140 us if the next batch is "
                          "ready by then; reading it in one of 100 turns saves nearly all of it");
    /* A second read at the end: together with that one, stacking costs an operation more, 2 on the GPU. */
    loop_read(loop);
    cost = loop_price(loop);
    assert_us(cost->remedies.merged_us, cost->remedies.of_us - 2);
    assert_int_equal(cost->paid, PAID_BY_NONE);
    /* What must be read there has no remedy; nor has a copy to the GPU. */
    loop->sites[1].need = NEED_NEEDED;
    assert_remedies(loop_price(loop), "");
    loop->sites[1].need = NEED_AVOIDABLE, loop->sites[1].copy_to_device = true;
    assert_remedies(loop_price(loop), "");
    loop_free(loop);
}

static void test_paid_by_a_neighbour(void **state) {
    (void)state;
    TestLoop *loop = training(round_profile(5), AFTER_FORWARD);
    loop_operations(loop, 1, 0, 0);
    loop_read(loop);
    loop_read(loop);
    loop_price(loop);
    assert_int_equal(loop->costs->sites[1].paid, PAID_BY_NONE);
    assert_int_equal(loop->costs->sites[2].paid, PAID_BEHIND);
    assert_int_equal(loop->costs->sites[3].paid, PAID_BEFORE);
    assert_range(loop->costs->sites[3].per_turn, 12);
    assert_non_null(strstr(loop->costs->sites[3].text.bytes,
                           "about 12 us per training step; a wait stands right before it: remove both"));
    loop_free(loop);
}

/* The first read of a row finds the host cold, those behind it do not; one behind a launch does again. */
static void test_a_row_of_reads(void **state) {
    (void)state;
    Profile profile = round_profile(5);
    profile.item_again_us = exactly(4);
    TestLoop *loop = loop_new(profile);
    loop_operations(loop, 10, 0, 20);
    loop_read(loop);
    loop_read(loop);
    loop->events[loop->event_count - 1].count = 5;
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_event(loop, EVENT_OPTIMIZER, 10);
    loop_price(loop);
    assert_range(loop->costs->sites[2].per_turn, 20);
    assert_range(loop->costs->loops[1].all, 138 + 20);
    loop_free(loop);
}

static Profile hiding_profile(double ratio) {
    Profile profile = round_profile(ratio);
    profile.hidden_host_us = profile_builtin()->hidden_host_us;
    return profile;
}

/* A GPU that is busy all the time may hide host work that only a wait shows. Where such work is seen in the loop, a read
   in one of ten steps may cost much more than its gap of 38, and a move to the end is no remedy. */
static void test_hidden_host_work(void **state) {
    (void)state;
    for (int seen = 0; seen < 2; seen++) {
        TestLoop *loop = training(hiding_profile(5), AT_END);
        if (seen) loop_event(loop, EVENT_HOST, 1);
        loop->options = (CostOptions){.step_time_us = 10000, .gpu_busy = 1};
        loop->sites[1].frequency.every = 10;
        const SiteCost *cost = loop_price(loop);
        assert_us(cost->per_turn.low_us, 3.8);
        assert_true(seen == (strstr(loop->costs->loops[1].text.bytes, "a wait may show it") != NULL));
        assert_true(seen ? cost->per_turn.high_us > 300 : cost->per_turn.high_us < 4);
        loop_free(loop);
        loop = training(hiding_profile(5), AFTER_FORWARD);
        if (seen) loop_event(loop, EVENT_HOST, 1);
        loop->options = (CostOptions){.step_time_us = 10000, .gpu_busy = 0.98};
        cost = loop_price(loop);
        assert_us(cost->per_turn.low_us, 138);
        assert_true(cost->per_turn.high_us < 0.07 * 10000 + 138); /* the GPU is seen busy with the wait in it */
        assert_true(seen == (cost->remedies.moved_us == 0));
        loop_free(loop);
    }
}

static void test_every_hundredth_step(void **state) {
    (void)state;
    TestLoop *loop = training(round_profile(5), AFTER_FORWARD);
    loop->sites[1].frequency.every = 100;
    loop->events[1].share = 0.01;
    const SiteCost *cost = loop_price(loop);
    assert_range(cost->per_execution, 138);
    assert_range(cost->per_turn, 1.38);
    assert_true(cost->has_per_turn && cost->about_zero);
    assert_range(loop->costs->loops[1].all, 1.38);
    assert_range(loop->costs->loops[1].turn, 4250);
    assert_string_equal(cost->text.bytes,
                        "about zero per training step (about 140 us when it runs, once in 100); the line "
                        "itself blocks up to 3.5 ms, most of which the GPU needs anyway");
    /* N unknown: the profile's default of 100, and it is said. */
    loop->sites[1].frequency.every = 0;
    cost = loop_price(loop);
    assert_range(cost->per_turn, 1.38);
    assert_false(cost->has_per_turn);
    loop_free(loop);
}

static void test_epoch_site_without_events(void **state) {
    (void)state;
    /* Stands at the end of the turn it follows: 38 each time; per turn only by an assumed 1000 steps an epoch. */
    TestLoop *loop = training(round_profile(5), NOWHERE);
    loop->sites[loop_site(loop)].frequency = (Frequency){.unit = UNIT_EPOCH, .times = 1, .every = 1};
    const SiteCost *cost = loop_price(loop);
    assert_range(cost->per_execution, 38);
    assert_range(cost->per_turn, 0.038);
    assert_false(cost->has_per_turn);
    assert_string_equal(cost->text.bytes,
                        "about 38 us each time it runs, once or a few times an epoch; the line itself "
                        "blocks up to 3.4 ms, most of which the GPU needs anyway");
    loop_free(loop);
}

static void test_print_takes_its_host_work_along(void **state) {
    (void)state;
    /* Host-bound, at the end: 8 reads, 21.4 for the first and 12 for each other, and 400 of formatting. */
    TestLoop *loop = training(round_profile(0.16), AT_END);
    loop->events[3].count = 8;
    loop_add(loop, (Event){.kind = EVENT_HOST, .site = 1, .count = 1, .quantity = TEXT("print_scalar")});
    assert_range(loop_price(loop)->per_turn, 21.4 + 84 + 400);
    loop_free(loop);
}

static void test_inner_loop(void **state) {
    (void)state;
    /* Three micro-batches, each with a read, host-bound: 3 reads of 10 + g + 8. Host: 3 * (200 + 100 + 400) + 50 +
       100 = 2250; g = 0.16 * 2250 / 100. */
    TestLoop *loop = loop_new(round_profile(0.16));
    loop_event(loop, EVENT_LOOP_BEGIN, 3);
    loop_operations(loop, 10, 0, 20);
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_read(loop);
    loop_event(loop, EVENT_LOOP_END, 0);
    loop_event(loop, EVENT_OPTIMIZER, 10);
    const SiteCost *cost = loop_price(loop);
    assert_range(loop->costs->loops[1].turn, 2250 + 3 * 21.6);
    assert_us(loop->costs->loops[1].operations_high, 100);
    assert_range(cost->per_turn, 3 * 21.6);
    assert_range(cost->per_execution, 21.6);
    assert_true(cost->remedies.of_us - cost->remedies.moved_us < 22);
    loop_free(loop);
}

static void test_loss_of_an_inner_loop(void **state) {
    (void)state;
    /* The backward pass behind an inner loop runs what all its turns taped: 3 * 20 operations. */
    TestLoop *loop = loop_new(round_profile(1));
    loop_event(loop, EVENT_LOOP_BEGIN, 3);
    loop_operations(loop, 10, 0, 20);
    loop_event(loop, EVENT_LOOP_END, 0);
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_price(loop);
    assert_us(loop->costs->loops[1].operations_high, 30 + 60);
    loop_free(loop);
}

static void test_backward_waits(void **state) {
    (void)state;
    /* A wait after 5 of 10 forward operations that waits again in the backward pass, after 10 of 20. GPU-bound: each
       opens a gap of 8 + 20 + 10. */
    TestLoop *loop = loop_new(round_profile(5));
    loop_operations(loop, 5, 0, 10);
    loop_read(loop);
    loop_operations(loop, 5, 0, 10);
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_event(loop, EVENT_OPTIMIZER, 10);
    assert_range(loop_price(loop)->per_turn, 38);
    loop->sites[1].backward_waits = 1;
    assert_range(loop_price(loop)->per_turn, 76);
    loop_free(loop);
}

static void test_explicit_waits(void **state) {
    (void)state;
    /* Host-bound; 500 us after the last launch everything is done: the call alone, 7 for the device, 4.7 an event. */
    Profile profile = round_profile(0.16);
    profile.loader_us = exactly(500);
    TestLoop *loop = loop_new(profile);
    loop_operations(loop, 10, 0, 0);
    loop_event(loop, EVENT_DATA, 1);
    loop_read(loop);
    assert_range(loop_price(loop)->per_turn, 12);
    loop->sites[1].entry = TEXT("torch.cuda.synchronize");
    assert_range(loop_price(loop)->per_turn, 7);
    loop->sites[1].entry = TEXT("torch.cuda.Event.synchronize");
    assert_range(loop_price(loop)->per_turn, 4.7);
    loop->sites[1].entry = TEXT("torch.cuda.Stream.synchronize");
    assert_range(loop_price(loop)->per_turn, 3.7);
    loop_free(loop);
}

static void test_copies(void **state) {
    (void)state;
    /* 1 MB at 10 GB/s, 15 of latency and 5 of PyTorch: 120. To the host it begins when the GPU is done: 10 + 3.2 + 5 more in a
       host-bound loop (g = 0.16 * 200 / 10); its wait has no cost of its own. To the GPU likewise: wait, then copy. */
    Profile profile = round_profile(0.16);
    profile.to_host_pageable_latency_us = profile.to_gpu_pageable_latency_us = exactly(15);
    profile.torch_copy_us = exactly(5);
    profile.to_host_pageable_gbps = profile.to_gpu_pageable_gbps = exactly(10);
    TestLoop *loop = loop_new(profile);
    loop_operations(loop, 10, 0, 0);
    loop_read(loop);
    loop_add(loop, (Event){.kind = EVENT_COPY, .site = 1, .bytes_low = 1e6, .bytes_high = 1e6});
    loop_operations(loop, 10, 0, 0);
    assert_range(loop_price(loop)->per_turn, 138.2);
    loop->events[2].to_device = true;
    assert_range(loop_price(loop)->per_turn, 138.2);
    /* Out of page-locked memory it is copied all the same, at 50 GB/s; 18.2 before it, then 10 + 20 + 5. */
    loop->profile.to_gpu_pinned_latency_us = exactly(15), loop->profile.to_gpu_pinned_gbps = exactly(50);
    loop->events[2].pinned = true;
    assert_range(loop_price(loop)->per_turn, 53.2);
    loop->events[2].pinned = false;
    /* The site knows of a copy for which there is no event. */
    loop->events[2].kind = EVENT_HOST;
    loop->sites[1].copied_bytes_low = loop->sites[1].copied_bytes_high = 1e6;
    assert_range(loop_price(loop)->per_turn, 138.2);
    loop_free(loop);
}

static void test_pins(void **state) {
    (void)state;
    for (int place = AFTER_FORWARD; place <= NOWHERE; place++) {
        double busy[] = {0.1, 0.5, 0.87, 0.99};
        for (uint32_t i = 0; i < 4; i++) {
            TestLoop *loop = training(*profile_builtin(), (Place)place);
            loop->options = (CostOptions){.step_time_us = 9000, .gpu_busy = busy[i]};
            loop_price(loop);
            const LoopCost *cost = &loop->costs->loops[1];
            assert_true(fabs(cost->turn.low_us - 9000) < 20 && fabs(cost->turn.high_us - 9000) < 20);
            if (busy[i] < 0.85) assert_range(cost->gpu, 9000 * busy[i]);
            if (busy[i] > 0.9) assert_true(cost->gpu.low_us > 0.9 * 9000);
            loop_free(loop);
        }
    }
    /* Shorter than what was counted: the count gives way, not the user's number. */
    TestLoop *loop = training(*profile_builtin(), AT_END);
    loop->options = (CostOptions){.step_time_us = 300, .gpu_busy = 0.5};
    loop_price(loop);
    assert_true(loop->costs->loops[1].turn.high_us < 330);
    loop_free(loop);
}

static void test_share_alone(void **state) {
    (void)state;
    /* Half of an 850 turn: no scenario is left in which the GPU sets the pace. */
    TestLoop *loop = training(round_profile(1), NOWHERE);
    loop->options.gpu_busy = 0.5;
    loop_price(loop);
    assert_us(loop->costs->loops[1].turn.high_us, 850);
    assert_true(fabs(loop->costs->loops[1].gpu.high_us - 425) < 0.1);
    loop_free(loop);
}

static void test_pinned_host_work_loses_overlap(void **state) {
    (void)state;
    /* 10 ms a step, the GPU busy for 6 of them, 850 us of queueing seen: about 9 ms of host work are in the loader or
       spread. In the loader, a read at the end takes the GPU's 6 ms less what was queued along; spread, next to
       nothing. */
    TestLoop *loop = training(hiding_profile(5), AT_END);
    loop_event(loop, EVENT_HOST, 1); /* of unknown length */
    loop->options = (CostOptions){.step_time_us = 10000, .gpu_busy = 0.6};
    const SiteCost *cost = loop_price(loop);
    assert_true(cost->per_turn.low_us < 200);
    assert_true(cost->per_turn.high_us > 3000 && cost->per_turn.high_us < 6000);
    loop_free(loop);
}

static void test_operations_override(void **state) {
    (void)state;
    TestLoop *loop = training(round_profile(1), NOWHERE);
    loop->options.ops_per_step = 400;
    loop_price(loop);
    assert_us(loop->costs->loops[1].operations_low, 400);
    assert_us(loop->costs->loops[1].turn.high_us, 10 * 700 + 150);
    loop_free(loop);
}

static void test_unseen_calls_widen(void **state) {
    (void)state;
    TestLoop *seen = training(*profile_builtin(), AFTER_FORWARD),
             *unseen = training(*profile_builtin(), AFTER_FORWARD);
    unseen->events[0] = (Event){.kind = EVENT_UNSEEN, .share = 1};
    unseen->loops[1].unseen = 1, unseen->loops[1].unseen_text = TEXT("self.net(x)");
    double seen_high = loop_price(seen)->per_turn.high_us;
    assert_true(loop_price(unseen)->per_turn.high_us > seen_high);
    const LoopCost *cost = &unseen->costs->loops[1];
    assert_true(cost->operations_high > 10 * cost->operations_low);
    assert_non_null(strstr(cost->text.bytes, "`self.net(x)` could not be followed"));
    /* A hundred calls that cannot be followed are not a hundred models. */
    for (int i = 0; i < 99; i++) loop_event(unseen, EVENT_UNSEEN, 0);
    double once = cost->operations_high;
    loop_price(unseen);
    assert_true(unseen->costs->loops[1].operations_high < 5 * once);
    loop_free(seen);
    loop_free(unseen);
}

static void test_odd_findings(void **state) {
    (void)state;
    /* No loop around a site, an empty loop, unbalanced inner loops, deep ones: a price, no crash. */
    TestLoop *loop = loop_new(*profile_builtin());
    loop->sites[loop_site(loop)].loop = 0;
    assert_true(loop_price(loop)->per_turn.high_us > 0);
    loop_event(loop, EVENT_LOOP_END, 0);
    for (int i = 0; i < 50; i++) loop_event(loop, EVENT_LOOP_BEGIN, 2);
    loop_operations(loop, 1, 0, 0);
    loop_read(loop);
    for (int i = 0; i < 20; i++) loop_event(loop, EVENT_LOOP_END, 0);
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_price(loop);
    assert_true(isfinite(loop->costs->loops[1].turn.high_us) && loop->costs->sites[2].per_turn.high_us > 0);
    loop_free(loop);
    Findings none = {0};
    CostOptions options = {0};
    Arena arena = {0};
    assert_non_null(cost_findings(&arena, &none, profile_builtin(), &options));
    arena_free(&arena);
}

static void test_what_is_not_shown_has_no_price(void **state) {
    (void)state;
    TestLoop *loop = loop_new(*profile_builtin());
    loop_operations(loop, 100, 1, 0);
    SiteId read = loop_read(loop);
    loop->sites[read].confidence = CONFIDENCE_POSSIBLE;
    loop->options.least = CONFIDENCE_LIKELY;
    assert_int_equal(loop_price(loop)->text.length, 0);
    assert_true(loop->costs->loops[1].text.length > 0 && loop->costs->loops[1].turn.high_us > 0);
    loop->options.shown_only = true;
    loop_price(loop);
    assert_true(loop->costs->loops[1].text.length == 0 && loop->costs->loops[1].turn.high_us <= 0);
    loop->sites[read].confidence = CONFIDENCE_LIKELY;
    assert_true(loop_price(loop)->text.length > 0 && loop->costs->loops[1].turn.high_us > 0);
    loop_free(loop);
}

static void test_many_sites_stay_linear(void **state) {
    (void)state;
    /* Neighbours share a price beyond a bound of work; all are priced, finite, and not above all together. */
    TestLoop *loop = loop_new(*profile_builtin());
    for (int i = 0; i < 3000; i++) {
        loop_operations(loop, 3, 1, 5);
        loop_read(loop);
    }
    loop_event(loop, EVENT_BACKWARD, 0);
    loop_price(loop);
    for (SiteId id = 1; id < loop->site_count; id++) {
        const SiteCost *cost = &loop->costs->sites[id];
        assert_true(cost->per_turn.low_us >= 0 && cost->per_turn.high_us <= loop->costs->loops[1].all.high_us);
        assert_true(cost->text.length > 0);
    }
    loop_free(loop);
}

static void test_words(void **state) {
    (void)state;
    Arena arena = {0};
    assert_string_equal(cost_text_us(&arena, 0).bytes, "0 us");
    assert_string_equal(cost_text_us(&arena, 0.6234).bytes, "0.62 us");
    assert_string_equal(cost_text_us(&arena, 12.4).bytes, "12 us");
    assert_string_equal(cost_text_us(&arena, 996).bytes, "1 ms");
    assert_string_equal(cost_text_us(&arena, 12345).bytes, "12 ms");
    assert_string_equal(cost_text_us(&arena, 2.5e6).bytes, "2.5 s");
    assert_string_equal(cost_text_range(&arena, (CostRange){60, 472}).bytes, "60 to 470 us");
    assert_string_equal(cost_text_range(&arena, (CostRange){470, 1234}).bytes, "470 us to 1.2 ms");
    assert_string_equal(cost_text_range(&arena, (CostRange){12.1, 12.2}).bytes, "12 us");
    assert_string_equal(cost_text_range(&arena, (CostRange){0, 12}).bytes, "up to 12 us");
    assert_string_equal(cost_text_range(&arena, (CostRange){0, 0}).bytes, "0 us");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_places),
        cmocka_unit_test(test_what_a_wait_adds_to_the_others),
        cmocka_unit_test(test_doubled_launch_cost_moves_all),
        cmocka_unit_test(test_a_host_that_stood_still_starts_slower),
        cmocka_unit_test(test_many_tensors_slow_the_optimizer),
        cmocka_unit_test(test_host_bound),
        cmocka_unit_test(test_range_over_scenarios),
        cmocka_unit_test(test_second_read_is_nearly_free),
        cmocka_unit_test(test_remedies),
        cmocka_unit_test(test_paid_by_a_neighbour),
        cmocka_unit_test(test_a_row_of_reads),
        cmocka_unit_test(test_hidden_host_work),
        cmocka_unit_test(test_every_hundredth_step),
        cmocka_unit_test(test_epoch_site_without_events),
        cmocka_unit_test(test_print_takes_its_host_work_along),
        cmocka_unit_test(test_inner_loop),
        cmocka_unit_test(test_loss_of_an_inner_loop),
        cmocka_unit_test(test_backward_waits),
        cmocka_unit_test(test_explicit_waits),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_share_alone),
        cmocka_unit_test(test_pinned_host_work_loses_overlap),
        cmocka_unit_test(test_operations_override),
        cmocka_unit_test(test_unseen_calls_widen),
        cmocka_unit_test(test_odd_findings),
        cmocka_unit_test(test_what_is_not_shown_has_no_price),
        cmocka_unit_test(test_many_sites_stay_linear),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
