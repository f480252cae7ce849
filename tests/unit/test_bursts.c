/* When the recorder takes clean steps, by a clock of the test's own: a line that recurs each 20 ms is a step. */
#include "../../calib/recorder/bursts.c"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { STEP = 7, STEP_MS = 20, TICK_MS = 5 };

static Bursts bursts;

/* Steps that passed until the phase, `limit` at most. */
static uint32_t steps_until(RecordPhaseKind phase, uint32_t skip, uint32_t limit) {
    const uint64_t ms = second_ns / 1000, begun_ns = 5 * second_ns;
    bursts_begin(&bursts, 30, skip, begun_ns);
    for (uint64_t passed_ms = TICK_MS; passed_ms < (uint64_t)limit * STEP_MS; passed_ms += TICK_MS) {
        uint64_t now_ns = begun_ns + passed_ms * ms;
        if (passed_ms % STEP_MS == 0) bursts_saw(&bursts, STEP, now_ns);
        if (bursts_turn(&bursts, now_ns, false) && bursts.phase == phase)
            return (uint32_t)(passed_ms / STEP_MS);
    }
    return limit;
}

static void a_line_that_recurs_is_a_step(void **state) {
    (void)state;
    assert_in_range(steps_until(RECORD_CLEAN, 0, 1000), 49, 70);
    assert_int_equal(bursts.anchor, STEP);
    assert_int_equal(bursts.period_ns, STEP_MS * (second_ns / 1000));
    assert_in_range(steps_until(RECORD_DONE, 0, 1000), 100, 300);
}

/* They may take longer than what a search without them takes at most. */
static void steps_are_skipped(void **state) {
    (void)state;
    assert_in_range(steps_until(RECORD_CLEAN, 300, 10000), 300, 400);
    assert_in_range(steps_until(RECORD_CLEAN, 5000, 10000), 5000, 5100);
    assert_int_equal(bursts.anchor, STEP);
    assert_int_equal(steps_until(RECORD_CLEAN, 1000000000, 10000), 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_recurs_is_a_step),
        cmocka_unit_test(steps_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
