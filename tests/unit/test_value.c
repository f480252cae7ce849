/* Abstract values: what joins and what counts as readings of one value. */
#include "value.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static Alt gpu(Confidence confidence) {
    Alt alt = alt_tensor(DEVICE_CUDA, confidence, 0);
    alt.dtype = DTYPE_FLOAT;
    return alt;
}

/* From two paths: the weaker belief stays. Two readings of one value: the surer counts. */
static void test_weaker_and_surer(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, 0);
    const Value *likely = value_of(&values, gpu(CONFIDENCE_LIKELY)),
                *possible = value_of(&values, gpu(CONFIDENCE_POSSIBLE));
    const Value *joined = value_join(&values, likely, possible),
                *either = value_either(&values, likely, possible);
    assert_int_equal(joined->count, 1);
    assert_int_equal(joined->alts[0].confidence, CONFIDENCE_POSSIBLE);
    assert_int_equal(either->count, 1);
    assert_int_equal(either->alts[0].confidence, CONFIDENCE_LIKELY);
    assert_ptr_equal(value_either(&values, possible, likely), either);
    arena_free(&arena);
}

/* A CPU tensor is no surer for being read twice: that it is not on the GPU is what finds copies. */
static void test_cpu_stays_weak(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, 0);
    const Value *likely = value_of(&values, alt_tensor(DEVICE_CPU, CONFIDENCE_LIKELY, 0)),
                *possible = value_of(&values, alt_tensor(DEVICE_CPU, CONFIDENCE_POSSIBLE, 0));
    const Value *either = value_either(&values, likely, possible);
    assert_int_equal(either->alts[0].confidence, CONFIDENCE_POSSIBLE);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weaker_and_surer),
                                       cmocka_unit_test(test_cpu_stays_weak)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
