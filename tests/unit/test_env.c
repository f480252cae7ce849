/* Environments: copies share until one of them is written to, and what differs is found wherever it stands. */
#include "env.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const Value ONE = {.count = 1}, TWO = {.count = 2};

static void test_copy_stays_apart(void **state) {
    (void)state;
    Arena arena = {0};
    for (uint32_t slots = 2; slots < 100000; slots = slots * 3 + 1) {
        Env *env = env_new(&arena, slots);
        env_put(env, slots - 1, &ONE);
        Env *copy = env_copy(env);
        assert_int_equal(env_differs(env, copy, 0), 0);
        env_put(copy, slots / 2, &TWO);
        env_put(env, slots - 1, &TWO);
        assert_ptr_equal(env_get(env, slots / 2), slots / 2 == slots - 1 ? &TWO : NULL);
        assert_ptr_equal(env_get(copy, slots - 1), slots / 2 == slots - 1 ? &TWO : &ONE);
        env_assign(env, copy);
        assert_int_equal(env_differs(env, copy, 0), 0);
    }
    arena_free(&arena);
}

static void test_every_difference_is_found(void **state) {
    (void)state;
    enum { SLOTS = 5000 };
    Arena arena = {0};
    for (uint32_t step = 1; step < SLOTS; step = step * 2 + 1) {
        Env *env = env_new(&arena, SLOTS);
        for (uint32_t s = 1; s < SLOTS; s += 3) env_put(env, s, &ONE);
        Env *copy = env_copy(env);
        for (uint32_t s = step; s < SLOTS; s += step) env_put(copy, s, &TWO);
        uint32_t at = 0;
        for (uint32_t s = step; s < SLOTS; s += step) {
            at = env_differs(env, copy, at);
            assert_int_equal(at, s);
        }
        assert_int_equal(env_differs(copy, env, at), 0);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copy_stays_apart),
                                       cmocka_unit_test(test_every_difference_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
