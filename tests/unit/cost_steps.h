#ifndef COST_STEPS_H
#define COST_STEPS_H
/* A training step of round numbers, and prices that are compared with what was worked out by hand. Include it behind cmocka. */
#include "cost_loops.h"
#include <math.h>

#define assert_us(actual, expected) assert_near((actual), (expected), #actual, __LINE__)
#define assert_range(range, us) (assert_us((range).low_us, (us)), assert_us((range).high_us, (us)))

static inline void assert_near(double actual, double expected, const char *what, int line) {
    if (fabs(actual - expected) > 1e-3 + 1e-6 * fabs(expected))
        fail_msg("line %d: %s is %f, not %f", line, what, actual, expected);
}

typedef enum Place { AFTER_FORWARD, AFTER_BACKWARD, AT_END, NOWHERE } Place;

/* 10 forward operations, 20 backward, 10 of the optimizer: 40 operations queued in 200 + 100 + 400 + 50 + 100 = 850
   (with the round profile). */
static inline TestLoop *training(Profile profile, Place place) {
    TestLoop *loop = loop_new(profile);
    loop_operations(loop, 10, 0, 20);
    if (place == AFTER_FORWARD) loop_read(loop);
    loop_event(loop, EVENT_BACKWARD, 0);
    if (place == AFTER_BACKWARD) loop_read(loop);
    loop_event(loop, EVENT_OPTIMIZER, 10);
    if (place == AT_END) loop_read(loop);
    return loop;
}

#endif
