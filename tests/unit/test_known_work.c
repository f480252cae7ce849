/* Work that shapes tell decides how long the GPU takes, by the rates of a profile of round numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "cost_steps.h"

/* Ten products forward and twenty backward of so many floating-point operations each, at 1 TFLOP/s; 1 MB an operation at
   1000 GB/s; an optimizer of ten operations on a million parameters, 40 us each at 10 accesses. */
static TestLoop *sized(WorkPart *part, double flops_each, Place place) {
    Profile profile = round_profile(5);
    profile.product_float_tflops = exactly(1), profile.memory_gbps = exactly(1000);
    profile.small_operation_gpu_us = exactly(2), profile.optimizer_accesses = exactly(10);
    *part = (WorkPart){.kind = LOAD_GEMM,
                       .precision = PRECISION_FLOAT,
                       .launches = 10,
                       .flops = {10 * flops_each, 10 * flops_each},
                       .bytes = {1e7, 1e7},
                       .backward_launches = 20,
                       .backward_flops = {20 * flops_each, 20 * flops_each},
                       .backward_bytes = {2e7, 2e7}};
    TestLoop *loop = training(profile, place);
    for (uint32_t i = 0; i < loop->event_count; i++) {
        EventKind kind = loop->events[i].kind;
        Workload work = kind == EVENT_OPS ? (Workload){.parts = part, .part_count = 1}
                                          : (Workload){.parameters = {1e6, 1e6}};
        if (kind == EVENT_OPS || kind == EVENT_OPTIMIZER)
            loop->events[i].work = arena_copy(&loop->arena, &work, sizeof work);
    }
    return loop;
}

/* Known work decides who sets the pace, where without it both are assumed. */
static void test_known_work_takes_its_time(void **state) {
    (void)state;
    WorkPart part;
    const struct {
        double flops, gpu_us, price_us[3];
    } sizes[] = {{1e8, 30 * 100 + 10 * 40, {138, 78, 38}}, {1e6, 30 * 2 + 10 * 40, {20, 20, 38}}};
    for (uint32_t size = 0; size < 2; size++)
        for (int place = AFTER_FORWARD; place <= AT_END; place++) {
            TestLoop *loop = sized(&part, sizes[size].flops, (Place)place);
            loop_price(loop);
            assert_range(loop->costs->loops[1].gpu, sizes[size].gpu_us);
            if (!size) assert_range(loop->costs->loops[1].all, sizes[size].price_us[place]);
            loop_free(loop);
        }
    /* Longer than the step that is given: the price stays what it is. */
    TestLoop *loop = sized(&part, 1e8, AFTER_FORWARD);
    loop->options.step_time_us = 2000;
    assert_range(loop_price(loop)->per_turn, 138);
    loop_free(loop);
    /* What is not measured, or not known, is assumed as before. */
    loop = sized(&part, 1e8, AFTER_FORWARD);
    part.precision = PRECISION_DOUBLE;
    loop_price(loop);
    assert_range(loop->costs->loops[1].gpu, 5 * 850 * 0.75 + 400);
    loop_free(loop);
}

/* Behind the wait at the end of a step the host queues again, 20 us each, and the GPU waits for what is long: nine operations
   of 2 us and one of 1,000, in their order. */
static void test_the_first_operations_run_in_their_order(void **state) {
    (void)state;
    double prices[2];
    for (int last = 0; last < 2; last++) {
        WorkPart unused;
        TestLoop *loop = sized(&unused, 1e8, AT_END);
        WorkPart parts[] = {{.kind = LOAD_MOVES, .precision = PRECISION_FLOAT, .launches = 9, .bytes = {9, 9}},
                            {.kind = LOAD_GEMM,
                             .precision = PRECISION_FLOAT,
                             .launches = 1,
                             .flops = {1e9, 1e9},
                             .bytes = {1, 1},
                             .backward_launches = 20,
                             .backward_flops = {2e10, 2e10},
                             .backward_bytes = {20, 20}}};
        WorkPart turned[] = {parts[1], parts[0]};
        Workload work = {.parts = last ? parts : turned, .part_count = 2, .first = 2};
        loop->events[0].work = &work;
        loop_price(loop);
        prices[last] = loop->costs->loops[1].all.low_us;
        loop_free(loop);
    }
    assert_us(prices[1] - prices[0], 9 * (20 - 2));
}

/* A step is given in which the products take 316 us each, in the middle of their 100 to 1,000: then the nine small operations in whose
   place the GPU idles are in the middle of 2 to 4 us, too, and not a third of 4. */
static void test_a_given_step_moves_all_known_work_within_its_range(void **state) {
    (void)state;
    WorkPart unused;
    TestLoop *loop = sized(&unused, 1e8, AT_END);
    WorkPart parts[] = {{.kind = LOAD_MOVES, .precision = PRECISION_FLOAT, .launches = 9, .bytes = {9, 36e6}},
                        {.kind = LOAD_GEMM,
                         .precision = PRECISION_FLOAT,
                         .launches = 1,
                         .flops = {1e8, 1e9},
                         .bytes = {1, 1},
                         .backward_launches = 20,
                         .backward_flops = {2e9, 2e10},
                         .backward_bytes = {20, 20}}};
    Workload work = {.parts = parts, .part_count = 2, .first = 2};
    loop->events[0].work = &work;
    loop->options.step_time_us = 21 * 316 + 400 + 9 * 2.83 + 193, loop->options.gpu_busy = 0.95;
    loop_price(loop);
    CostRange all = loop->costs->loops[1].all;
    assert_true(all.low_us > 190 && all.high_us < 195); /* 38 + 9 * (20 - 2.83) */
    loop_free(loop);
}

/* Behind a read zero_grad() goes through the parameters, 1 us each, before the backward pass begins. */
static void test_zero_grad_goes_through_the_parameters(void **state) {
    (void)state;
    Profile profile = round_profile(5);
    profile.zero_grad_tensor_us = exactly(1);
    const Workload sixty = {.tensors = {60, 60}};
    for (int known = 0; known < 2; known++) {
        TestLoop *loop = loop_new(profile);
        loop_operations(loop, 10, 8, 20);
        loop_read(loop);
        loop_add(loop, (Event){.kind = EVENT_HOST,
                               .count = 1,
                               .quantity = TEXT("zero_grad_tensor"),
                               .work = known ? &sixty : NULL});
        loop_event(loop, EVENT_BACKWARD, 0);
        loop_event(loop, EVENT_OPTIMIZER, 10);
        assert_us(loop_price(loop)->per_turn.low_us, 138 + (known ? 60 : 20));
        loop_free(loop);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_work_takes_its_time),
        cmocka_unit_test(test_the_first_operations_run_in_their_order),
        cmocka_unit_test(test_zero_grad_goes_through_the_parameters),
        cmocka_unit_test(test_a_given_step_moves_all_known_work_within_its_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
